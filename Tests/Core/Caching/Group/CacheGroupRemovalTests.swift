import CalotypeTesting
import Testing

@testable import Calotype

/// The order in which a group removes entries that several caches have.
@Suite(.timeLimit(.minutes(5)))
struct CacheGroupRemovalTests {
    /// The removals that affect memory and disk.
    enum Removal: CaseIterable, Sendable {
        case key, source, policy, tag, everything

        /// The call that a member's disk tier receives.
        var call: ScriptedImageCache.Call {
            switch self {
            case .key: .remove
            case .source, .policy: .removeSource
            case .tag: .removeTag
            case .everything: .clear
            }
        }

        func perform(on cache: any ImageCache, _ key: VariantKey) throws {
            switch self {
            case .key: try cache.remove(key, from: .all)
            case .source: try cache.removeAll(of: key.source, from: .all)
            case .policy: try cache.removeAll(of: key.source, under: key.policy, from: .all)
            case .tag: try cache.removeAll(tagged: "album")
            case .everything: try cache.clear(.all)
            }
        }
    }

    private let key = VariantKey(source: SourceKey("https://example.org/cat.jpg"), variant: "half")
    private let entry = CacheEntry(data: Data("payload".utf8), tags: ["album"])
    /// A lane for blocking calls.
    private let lane = Lane(name: "t-removal", width: 4)

    private func makeImage() throws -> Image {
        let builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(2, 1)))
        return Image(pixels: builder.finish())
    }

    @Test(arguments: Removal.allCases, [CacheTiers.disk, .all])
    func `memory keeps an image until the last cache has removed its entry`(
        removal: Removal, lowerTiers: CacheTiers
    ) async throws {
        let data = InMemoryDataCache()
        let high = TieredCache(memory: BoundedMemoryCache(), disk: data)
        let low = ScriptedImageCache(entry, for: key, tiers: lowerTiers)
        let group = CacheGroup([high, low], policies: CacheGroup.Policies(remove: .serial, clear: .serial))
        try high.store(makeImage(), for: key)
        try high.store(entry, for: key)
        // Given that the first cache has removed its entry, and the second is about to do so
        let gate = BlockingGate()
        defer { gate.open() }
        low.hold(removal.call, at: gate)
        let work = Task { try await lane.run { try removal.perform(on: group, key) } }
        await gate.waitForArrivals(1)
        #expect(data.keys.isEmpty)
        // When a request queries memory and then disk
        let isInMemory = group.image(for: key) != nil
        let found = try await lane.run { try group.entry(for: key) }
        // Then it does not need to decode the entry that is being removed
        #expect(found == entry)
        #expect(isInMemory)
        gate.open()
        try await work.value
        let isStillInMemory = group.image(for: key) != nil
        #expect(!isStillInMemory)
        #expect(try group.entry(for: key) == nil)
        group.waitForFilling()
        #expect(data.keys.isEmpty)
    }

    @Test(arguments: [CacheTiers.memory, .disk])
    func `removing by tag affects only the given tiers`(tiers: CacheTiers) throws {
        let data = InMemoryDataCache()
        let group = CacheGroup([TieredCache(memory: BoundedMemoryCache(), disk: data)])
        try group.store(makeImage(), for: key)
        try group.store(entry, for: key)
        try group.removeAll(tagged: "album", from: tiers)
        #expect(try group.contains(key, in: .all) == CacheTiers.all.subtracting(tiers))
    }
}
