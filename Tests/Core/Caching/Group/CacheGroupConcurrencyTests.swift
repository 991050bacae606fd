import CalotypeTesting
import Testing

@testable import Calotype

/// Groups whose caches are called concurrently, are slow, or fail.
@Suite(.timeLimit(.minutes(5)))
struct CacheGroupConcurrencyTests {
    private struct Broken: Error, Equatable {
        let name: String
    }

    private let key = VariantKey(source: SourceKey("https://example.org/cat.jpg"))
    private let entry = CacheEntry(data: Data("payload".utf8), tags: ["album"])
    private let high = ScriptedImageCache()
    private let low = ScriptedImageCache()
    private let issues = Lock<[ImageError]>([])
    /// A lane for blocking calls.
    private let lane = Lane(name: "t-group", width: 4)

    private func makeGroup(all policy: CacheGroup.Policy) -> CacheGroup {
        CacheGroup(
            [high, low],
            policies: CacheGroup.Policies(query: policy, store: policy, remove: policy, contains: policy, clear: policy)
        ) { [issues] issue in
            issues.withLock { $0.append(issue) }
        }
    }

    private func told() -> [Broken?] { issues.withLock { $0.map { $0.cause as? Broken } } }

    /// Returns the error of a call on a group.
    private func failure(of call: ScriptedImageCache.Call, on group: CacheGroup) -> ImageError? {
        do {
            try call.perform(on: group, key: key, entry: entry)
            return nil
        } catch {
            return error as? ImageError
        }
    }

    // MARK: Concurrency

    @Test(arguments: ScriptedImageCache.Call.allCases)
    func `a concurrent policy calls all caches at once, for any call`(call: ScriptedImageCache.Call) async throws {
        let gate = BlockingGate()
        high.hold(call, at: gate)
        low.hold(call, at: gate)
        let group = makeGroup(all: .concurrent)
        let work = Task { try await lane.run { try call.perform(on: group, key: key, entry: entry) } }
        await gate.waitForArrivals(2)
        gate.open()
        try await work.value
        #expect(high.calls == [call])
        #expect(low.calls == [call])
    }

    @Test(arguments: [false, true])
    func `the first hit is returned without waiting for slower caches`(isHighSlow: Bool) async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let (slow, fast) = isHighSlow ? (high, low) : (low, high)
        slow.hold(.entry, .contains, at: gate)
        try fast.store(entry, for: key)
        let group = makeGroup(all: .concurrent)
        let found = try await lane.run { try group.entry(for: key) }
        #expect(found == entry)
        let tiers = try await lane.run { try group.contains(key, in: .disk) }
        #expect(tiers == .disk)
    }

    @Test(arguments: [false, true])
    func `a miss is not returned while another cache may have the entry`(isHighSlow: Bool) async throws {
        let gate = BlockingGate()
        let (slow, fast) = isHighSlow ? (high, low) : (low, high)
        slow.hold(.entry, at: gate)
        try slow.store(entry, for: key)
        let group = makeGroup(all: .concurrent)
        let query = Task { try await lane.run { try group.entry(for: key) } }
        await fast.wait { !$0.isEmpty }
        gate.open()
        #expect(try await query.value == entry)
        let missing = try await lane.run { try group.entry(for: VariantKey(source: SourceKey("nowhere"))) }
        #expect(missing == nil)
    }

    @Test func `calls do not pile up at a cache that hangs`() async throws {
        let gate = BlockingGate()
        low.hold(.entry, at: gate)
        try high.store(entry, for: key)
        let group = makeGroup(all: .concurrent)
        let found = try await lane.run { try (0..<50).map { _ in try group.entry(for: key) } }
        #expect(found.allSatisfy { $0 == entry })
        gate.open()
        group.waitForFilling()
        #expect(low.calls.count <= 16)
        // It is queried again after it has answered.
        let other = VariantKey(source: SourceKey("https://example.org/dog.jpg"))
        try low.store(entry, for: other)
        #expect(try group.entry(for: other) == entry)
        group.waitForFilling()
        #expect(high.entries[other] == entry)
    }

    @Test func `caches and policies may change while a group is used`() async throws {
        let group = makeGroup(all: .serial)
        let keys = (0..<4).map { VariantKey(source: SourceKey("\($0)")) }
        let entries = keys.map { CacheEntry(data: Data($0.source.text.utf8), tags: [$0.source.text]) }
        let wrong = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for thread in 0..<4 {
                tasks.addTask { [lane, high, low] in
                    try await lane.run { () throws -> Int in
                        var wrong = 0
                        var random = SplitMix64(seed: UInt64(thread))
                        for _ in 0..<60 {
                            let index = Int.random(in: 0..<4, using: &random)
                            switch Int.random(in: 0..<12, using: &random) {
                            case 0: group.caches = [low, high]
                            case 1: group.add([high, low][index % 2])
                            case 2: group.remove([high, low][index % 2])
                            case 3: group.policies.query = CacheGroup.Policy.allCases[index]
                            case 4: group.policies.store = CacheGroup.Policy.allCases[index]
                            case 5: try group.remove(keys[index], from: .all)
                            case 6: try group.removeAll(tagged: keys[index].source.text)
                            case 7: _ = try group.contains(keys[index], in: .all)
                            case 8: _ = group.statistics
                            case 9: try group.store(entries[index], for: keys[index])
                            default:
                                if let found = try group.entry(for: keys[index]), found != entries[index] { wrong += 1 }
                            }
                        }
                        return wrong
                    }
                }
            }
            return try await tasks.reduce(0, +)
        }
        #expect(wrong == 0)
        group.waitForFilling()
        group.caches = [high, low]
        group.policies = CacheGroup.Policies()
        try group.clear(.all)
        #expect(high.entries.isEmpty)
        #expect(low.entries.isEmpty)
        #expect(group.fills.changeCount == 0)
    }

    // MARK: Failures

    @Test(arguments: [CacheGroup.Policy.serial, .concurrent])
    func `a cache that fails does not keep another from answering, and its failure is reported`(
        policy: CacheGroup.Policy
    ) async throws {
        // The working cache waits, so that the other one fails first.
        let gate = BlockingGate()
        high.fail([.entry, .contains], with: Broken(name: "high"))
        low.hold(.entry, .contains, at: gate)
        try low.store(entry, for: key)
        let group = makeGroup(all: policy)
        let query = Task { try await lane.run { try group.entry(for: key) } }
        let look = Task { try await lane.run { try group.contains(key, in: .all) } }
        await high.wait { Set($0) == [.entry, .contains] }
        gate.open()
        #expect(try await query.value == entry)
        #expect(try await look.value == .disk)
        try await waitUntil("both failures are reported") { told().count >= 2 }
        #expect(told() == [Broken(name: "high"), Broken(name: "high")])
        let issue = issues.withLock { $0.first }
        #expect(issue?.code == .cacheFailed)
        #expect(issue?.component == "ScriptedImageCache")
    }

    @Test(arguments: [CacheGroup.Policy.serial, .concurrent])
    func `a query is a miss only if every cache reports one`(policy: CacheGroup.Policy) {
        low.fail([.entry, .contains], with: Broken(name: "low"))
        let group = makeGroup(all: policy)
        for call in [ScriptedImageCache.Call.entry, .contains] {
            let error = failure(of: call, on: group)
            #expect(error?.code == .cacheFailed)
            #expect(error?.stage == .query)
            #expect(error?.cause as? Broken == Broken(name: "low"))
        }
        #expect(told().isEmpty, "a failure that is thrown is not also reported")
    }

    @Test(arguments: ScriptedImageCache.Call.allCases, [CacheGroup.Policy.serial, .concurrent])
    func `when several caches fail, the error of the highest is thrown and the others are reported`(
        call: ScriptedImageCache.Call, policy: CacheGroup.Policy
    ) {
        high.fail([call], with: Broken(name: "high"))
        low.fail([call], with: Broken(name: "low"))
        let error = failure(of: call, on: makeGroup(all: policy))
        #expect(error?.code == .cacheFailed)
        #expect(error?.cause as? Broken == Broken(name: "high"))
        #expect(told() == [Broken(name: "low")])
    }

    @Test(arguments: ScriptedImageCache.Call.changes, [CacheGroup.Policy.serial, .concurrent])
    func `one failing cache does not stop the others`(call: ScriptedImageCache.Call, policy: CacheGroup.Policy) {
        high.fail([call], with: Broken(name: "high"))
        let group = makeGroup(all: policy)
        let error = failure(of: call, on: group)
        #expect(error?.stage == .store)
        #expect(error?.cause as? Broken == Broken(name: "high"))
        #expect(high.calls == [call])
        #expect(low.calls == [call])
        #expect(told().isEmpty)
    }

    @Test func `memory is cleared even if a disk tier fails`() throws {
        let builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(2, 1)))
        low.store(Image(pixels: builder.finish()), for: key)
        high.fail([.clear], with: Broken(name: "high"))
        let group = makeGroup(all: .serial)
        var failure: (any Error)?
        do { try group.clear(.all) } catch { failure = error }
        #expect(failure is ImageError)
        let isThere = low.image(for: key) != nil
        #expect(!isThere)
    }

    @Test(arguments: [CacheGroup.Policy.highestOnly, .lowestOnly])
    func `the error of the only cache that is asked is thrown`(policy: CacheGroup.Policy) {
        for cache in [high, low] { cache.fail([.entry], with: Broken(name: "it")) }
        let error = failure(of: .entry, on: makeGroup(all: policy))
        #expect(error?.cause as? Broken == Broken(name: "it"))
        #expect(high.calls.count + low.calls.count == 1)
        #expect(told().isEmpty)
    }
}
