import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ResolvedContextTests {
    private let keys = (0..<100).map { ContextKey<Int>("number\($0)", default: -1, summary: "A number.") }

    @Test(arguments: [0, 1, 2, 10, 100])
    func `each key has its own value, and a key that is not set has its default`(count: Int) {
        let context = ImageContext(keys.prefix(count).enumerated().map { ContextSetting.set($1, to: $0) })
        let resolved = ResolvedContext(context)
        #expect(keys.map { resolved[$0] } == (0..<100).map { $0 < count ? $0 : -1 })
        #expect(keys.map { resolved.layer(of: $0) } == (0..<100).map { $0 < count ? ContextLayer.request : .builtIn })
        #expect(resolved.entries.count == count)
        #expect(Set(resolved.entries.map(\.setting.declaration)).count == count)
    }

    /// Tests lookups only. Identities and command lines use names, and cannot distinguish such keys.
    @Test func `two keys with the same name are different`() {
        let one = ContextKey<Int>("side", default: 1, summary: "A number.")
        let other = ContextKey<Int>("side", default: 2, summary: "Another number.")
        let first = ResolvedContext([.set(one, to: 10)])
        #expect([first[one], first[other]] == [10, 2])
        let second = ResolvedContext(layers: [(.manager, [.set(one, to: 10)]), (.request, [.set(other, to: 20)])])
        #expect([second[one], second[other]] == [10, 20])
        #expect(second.layer(of: one) == .manager)
        #expect(second.layer(of: other) == .request)
    }

    @Test func `the nearest layer wins, and overridden values are known, the nearest first`() {
        let merged = ResolvedContext(layers: [
            (.manager, [.set(keys[0], to: 1), .set(keys[1], to: 1), .set(keys[2], to: 1)]),
            (.request, [.set(keys[1], to: 2), .set(keys[2], to: 2)]),
        ])
        let changed = merged.adding(.processor, [.set(keys[2], to: 3), .set(keys[3], to: 3)])
        let asked = keys.prefix(5)
        #expect(asked.map { changed[$0] } == [1, 2, 3, 3, -1])
        #expect(asked.map { changed.layer(of: $0) } == [.manager, .request, .processor, .processor, .builtIn])
        let hidden = asked.map { changed.entry(of: $0.declaration)?.hidden ?? [] }
        #expect(hidden.map { $0.map(\.text) } == [[], ["1"], ["2", "1"], [], []])
        #expect(hidden.map { $0.map(\.layer) } == [[], [.manager], [.request, .manager], [], []])
        #expect(changed.entries.count == 4)
        #expect(changed.entry(of: keys[4].declaration) == nil)
        // The original context is unchanged.
        #expect(asked.map { merged[$0] } == [1, 2, 2, -1, -1])
        #expect(merged.entries.count == 3)
    }

    @Test func `setting a key to nil differs from leaving it out`() {
        let below: (ContextLayer, ImageContext) = (.manager, [.timeout(.seconds(5))])
        #expect(ResolvedContext(layers: [below, (.request, [])])[.timeout] == .seconds(5))
        #expect(ResolvedContext(layers: [below, (.request, [.off(.timeout)])])[.timeout] == nil)
    }
}
