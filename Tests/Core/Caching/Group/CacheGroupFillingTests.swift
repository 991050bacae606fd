import CalotypeTesting
import Testing

@testable import Calotype

/// The copying of entries from a lower cache to those above it, and the conditions that prevent it.
@Suite(.timeLimit(.minutes(5)))
struct CacheGroupFillingTests {
    private struct Broken: Error {}

    private let key = VariantKey(source: SourceKey("https://example.org/cat.jpg"), variant: "half")
    private let old = CacheEntry(
        data: Data("old".utf8), expiration: 4e9, attributes: ["entityTag": "1"], extendedData: Data([1, 2]),
        tags: ["album"])
    private let new = CacheEntry(data: Data("new".utf8))
    private let high = ScriptedImageCache()
    private let middle = ScriptedImageCache()
    private let low = ScriptedImageCache()
    private let issues = Lock<[ImageError]>([])
    /// A lane for blocking calls.
    private let lane = Lane(name: "t-fill", width: 4)

    /// Returns a group whose lowest cache has the old entry.
    private func makeGroup(
        query: CacheGroup.Policy = .serial, remove: CacheGroup.Policy = .serial
    ) throws -> CacheGroup {
        try low.store(old, for: key)
        let policies = CacheGroup.Policies(query: query, store: .highestOnly, remove: remove, clear: remove)
        return CacheGroup([high, middle, low], policies: policies) { [issues] issue in
            issues.withLock { $0.append(issue) }
        }
    }

    /// Checks the contents of the group after a change of the old entry. The old one must not appear in a cache that
    /// did not have it before the change.
    private func expectChanged(_ call: ScriptedImageCache.Call, isMiddleFilled: Bool = false) {
        #expect(high.entries == (call == .store ? [key: new] : [:]))
        #expect(middle.entries == (call == .store && isMiddleFilled ? [key: old] : [:]))
        #expect(low.entries == (call == .store ? [key: old] : [:]))
    }

    // MARK: Copying up

    @Test(arguments: [CacheGroup.Policy.serial, .concurrent])
    func `an entry of a lower cache is copied to all above it, with all fields`(query: CacheGroup.Policy) throws {
        let group = try makeGroup(query: query)
        #expect(try group.entry(for: key) == old)
        group.waitForFilling()
        #expect(high.entries == [key: old])
        #expect(middle.entries == [key: old])
        #expect(try group.entry(for: key) == old)
        group.waitForFilling()
        #expect(high.storeCount == 1)
        #expect(middle.storeCount == 1)
    }

    @Test func `no entry is copied to a lower cache`() throws {
        let group = try makeGroup()
        try middle.store(new, for: key)
        #expect(try group.entry(for: key) == new)
        group.waitForFilling()
        #expect(high.entries == [key: new])
        #expect(low.entries == [key: old])
    }

    @Test(arguments: [CacheGroup.Policy.highestOnly, .lowestOnly])
    func `a query of a single cache fills no other`(query: CacheGroup.Policy) throws {
        let group = try makeGroup(query: query)
        let expected = query == .lowestOnly ? old : nil
        #expect(try group.entry(for: key) == expected)
        group.waitForFilling()
        #expect(high.entries.isEmpty)
        #expect(middle.entries.isEmpty)
    }

    @Test func `a hit is returned before the caches above are filled`() async throws {
        let gate = BlockingGate()
        high.hold(.store, at: gate)
        let group = try makeGroup()
        let found = try await lane.run { try group.entry(for: key) }
        #expect(found == old)
        await gate.waitForArrivals(1)
        gate.open()
        group.waitForFilling()
        #expect(high.entries == [key: old])
    }

    @Test func `an entry that a slower cache above already has is not overwritten`() async throws {
        let gate = BlockingGate()
        let group = try makeGroup(query: .concurrent)
        try high.store(new, for: key)
        high.hold(.entry, .contains, at: gate)
        let found = try await lane.run { try group.entry(for: key) }
        #expect(found == old)
        gate.open()
        group.waitForFilling()
        #expect(high.entries == [key: new])
    }

    @Test func `a cache whose lookup failed is not filled`() throws {
        high.fail([.entry, .contains], with: Broken())
        let group = try makeGroup()
        #expect(try group.entry(for: key) == old)
        group.waitForFilling()
        #expect(high.entries.isEmpty)
        #expect(middle.entries == [key: old])
    }

    @Test func `a failure to fill a cache is reported, and the others are filled`() throws {
        high.fail([.store], with: Broken())
        let group = try makeGroup()
        #expect(try group.entry(for: key) == old)
        group.waitForFilling()
        #expect(middle.entries == [key: old])
        let causes = issues.withLock { $0.map { $0.cause is Broken } }
        #expect(causes == [true])
    }

    @Test func `a cache that hangs while it is filled does not delay the others`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        high.hold(.store, at: gate)
        let group = try makeGroup()
        let keys = (0..<4).map { VariantKey(source: SourceKey("\($0)")) }
        for key in keys {
            try low.store(old, for: key)
            _ = try await lane.run { try group.entry(for: key) }
        }
        let count = keys.count
        await middle.wait { $0.count { $0 == .store } >= count }
        #expect(middle.entries.count == count)
        #expect(high.entries.isEmpty)
    }

    @Test func `a cache that hangs during a lookup does not delay the others`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        high.hold(.entry, .contains, at: gate)
        let group = try makeGroup(query: .concurrent)
        // Given that all of its threads wait for the cache
        while high.calls.filter({ $0 == .entry }).count < 16 {
            _ = try await lane.run { try group.entry(for: key) }
        }
        let keys = (0..<4).map { VariantKey(source: SourceKey("\($0)")) }
        for key in keys {
            try low.store(old, for: key)
            _ = try await lane.run { try group.entry(for: key) }
        }
        try await waitUntil("the entry is copied to all caches above") { Set(middle.entries.keys).isSuperset(of: keys) }
        #expect(high.entries.isEmpty)
    }

    // MARK: Limits

    @Test func `an entry is copied up once, however often it is found meanwhile`() async throws {
        let gate = BlockingGate()
        high.hold(.store, at: gate)
        let group = try makeGroup()
        _ = try await lane.run { try group.entry(for: key) }
        await gate.waitForArrivals(1)
        for _ in 0..<3 { _ = try await lane.run { try group.entry(for: key) } }
        gate.open()
        group.waitForFilling()
        #expect(high.storeCount == 1)
    }

    @Test func `the backlog of copies is bounded, and an entry that was skipped is copied another time`() async throws {
        let gate = BlockingGate()
        high.hold(.store, at: gate)
        let group = CacheGroup([high, low])
        let large = CacheEntry(data: Data(count: 17 << 20))
        let keys = (0..<3).map { VariantKey(source: SourceKey("\($0)")) }
        for key in keys {
            try low.store(large, for: key)
            _ = try await lane.run { try group.entry(for: key) }
        }
        gate.open()
        group.waitForFilling()
        #expect(Set(high.entries.keys) == [keys[0]])
        for key in keys {
            _ = try group.entry(for: key)
            group.waitForFilling()
        }
        #expect(Set(high.entries.keys) == Set(keys))
    }

    // MARK: Concurrent changes

    @Test(arguments: ScriptedImageCache.Call.changes, [CacheGroup.Policy.serial, .concurrent])
    func `a change made while the old entry is read is not undone`(
        call: ScriptedImageCache.Call, query: CacheGroup.Policy
    ) async throws {
        let gate = BlockingGate()
        low.hold(.entry, at: gate)
        let group = try makeGroup(query: query, remove: query)
        let read = Task { try await lane.run { try group.entry(for: key) } }
        await gate.waitForArrivals(1)
        // Given a query that has read the old entry
        try await lane.run { try call.perform(on: group, key: key, entry: new) }
        // When the query continues
        gate.open()
        _ = try await read.value
        group.waitForFilling()
        // Then the old entry is not copied up
        expectChanged(call)
    }

    @Test(arguments: ScriptedImageCache.Call.changes)
    func `a change made while the old entry is written waits for the write and is not undone`(
        call: ScriptedImageCache.Call
    ) async throws {
        let gate = BlockingGate()
        high.hold(.store, at: gate)
        middle.hold(.store, at: gate)
        let group = try makeGroup()
        _ = try await lane.run { try group.entry(for: key) }
        await gate.waitForArrivals(2)
        let change = Task { try await lane.run { try call.perform(on: group, key: key, entry: new) } }
        try await waitUntil("the change has begun") { group.fills.changeCount > 0 }
        #expect(!high.calls.contains(call), "the change waits until the old entry has been written")
        gate.open()
        try await change.value
        expectChanged(call, isMiddleFilled: true)
        group.waitForFilling()
        expectChanged(call, isMiddleFilled: true)
    }

    @Test func `an entry that is being removed is not copied up from a lower cache`() async throws {
        let gate = BlockingGate()
        high.hold(.remove, at: gate)
        let group = try makeGroup()
        // In sequence, so the lowest cache has not been reached.
        let removal = Task { try await lane.run { try group.remove(key, from: .all) } }
        await gate.waitForArrivals(1)
        let found = try await lane.run { try group.entry(for: key) }
        #expect(found == old)
        group.waitForFilling()
        #expect(!high.calls.contains(.store))
        gate.open()
        try await removal.value
        expectChanged(.remove)
        // An entry that is stored afterward is copied up again.
        try low.store(new, for: key)
        #expect(try group.entry(for: key) == new)
        group.waitForFilling()
        #expect(high.entries == [key: new])
    }

    @Test func `a change of another entry does not prevent a copy`() async throws {
        let gate = BlockingGate()
        low.hold(.entry, at: gate)
        let group = try makeGroup()
        let read = Task { try await lane.run { try group.entry(for: key) } }
        await gate.waitForArrivals(1)
        try await lane.run {
            try group.remove(key.original, from: .all)
            try group.removeAll(of: SourceKey("https://example.org/dog.jpg"), from: .all)
            try group.remove(key, from: .memory)
            try group.clear(.memory)
        }
        gate.open()
        _ = try await read.value
        group.waitForFilling()
        #expect(high.entries == [key: old])
    }
}
