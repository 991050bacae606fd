import CalotypeTesting
import Testing

@testable import Calotype

/// The choice of a group's caches for each operation.
@Suite(.timeLimit(.minutes(5)))
struct CacheGroupTests {
    private let key = VariantKey(source: SourceKey("https://example.org/cat.jpg"), variant: "half")
    private let entry = CacheEntry(data: Data("payload".utf8), tags: ["album"])
    private let low = ScriptedImageCache()
    private let high = ScriptedImageCache()

    /// Returns a group of both caches, with `high` above `low`.
    private func makeGroup(_ policies: CacheGroup.Policies = CacheGroup.Policies()) -> CacheGroup {
        let group = CacheGroup(policies: policies)
        group.add(low)
        group.add(high)
        return group
    }

    private func makeImage() throws -> Image {
        let builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(2, 1)))
        return Image(pixels: builder.finish())
    }

    private func policies(all policy: CacheGroup.Policy) -> CacheGroup.Policies {
        CacheGroup.Policies(query: policy, store: policy, remove: policy, contains: policy, clear: policy)
    }

    private func hasImage(_ cache: any ImageCache) -> Bool { cache.image(for: key) != nil }

    // MARK: Selection

    @Test func `the cache added last is the highest, and each cache is listed once`() {
        func isNow(_ group: CacheGroup, _ caches: [any ImageCache]) -> Bool {
            group.caches.map { ObjectIdentifier($0) } == caches.map { ObjectIdentifier($0) }
        }
        let group = makeGroup()
        #expect(isNow(group, [high, low]))
        group.add(low)
        #expect(isNow(group, [low, high]))
        group.caches = [high, low, high]
        #expect(isNow(group, [high, low]))
        #expect(group.remove(high))
        #expect(!group.remove(high))
        #expect(isNow(group, [low]))
        #expect(isNow(CacheGroup([low, high, low]), [low, high]))
    }

    @Test(arguments: [CacheGroup.Policy.highestOnly, .lowestOnly])
    func `each operation uses the single cache that its policy names`(policy: CacheGroup.Policy) throws {
        let group = makeGroup(policies(all: policy))
        let (used, other) = policy == .highestOnly ? (high, low) : (low, high)
        try group.store(makeImage(), for: key)
        try group.store(entry, for: key)
        #expect(hasImage(group))
        #expect(try group.entry(for: key) == entry)
        #expect(try group.contains(key, in: .all) == .all)
        #expect(group.variants(of: key.source) == [key])
        try group.remove(key, from: .all)
        #expect(try used.contains(key, in: .all) == [])
        // The contents of the other cache are not found, and remain.
        try other.store(makeImage(), for: key)
        try other.store(entry, for: key)
        #expect(!hasImage(group))
        #expect(try group.contains(key, in: .all) == [])
        #expect(group.variants(of: key.source).isEmpty)
        for call in ScriptedImageCache.Call.allCases where call != .store {
            try call.perform(on: group, key: key, entry: entry)
        }
        group.waitForFilling()
        #expect(other.calls == [.store])
        #expect(hasImage(other))
        #expect(used.entries.isEmpty)
    }

    @Test(arguments: [CacheGroup.Policy.serial, .concurrent])
    func `each operation reaches all caches if its policy says so`(
        policy: CacheGroup.Policy
    ) throws {
        let group = makeGroup(policies(all: policy))
        for call in [ScriptedImageCache.Call.remove, .removeSource, .removeTag, .removeAge, .clear] {
            try group.store(makeImage(), for: key)
            try group.store(entry, for: key)
            #expect(try high.contains(key, in: .all) == .all)
            #expect(try low.contains(key, in: .all) == .all)
            try call.perform(on: group, key: key, entry: entry)
            #expect(high.entries.isEmpty)
            #expect(low.entries.isEmpty)
            #expect(hasImage(high))
            #expect(hasImage(low))
        }
        try group.clear(.memory)
        #expect(!hasImage(high) && !hasImage(low))
    }

    @Test func `by default the highest cache stores, and all are queried and cleared`() throws {
        let group = makeGroup()
        #expect(group.policies == CacheGroup.Policies())
        try group.store(makeImage(), for: key)
        try group.store(entry, for: key)
        #expect(try high.contains(key, in: .all) == .all)
        #expect(try low.contains(key, in: .all) == [])
        // When the highest has lost it, and a lower one has it
        try group.remove(key, from: .all)
        try low.store(makeImage(), for: key)
        try low.store(entry, for: key)
        #expect(try group.contains(key, in: .all) == .all)
        #expect(hasImage(group))
        #expect(try group.entry(for: key) == entry)
        group.waitForFilling()
        try group.clear(.all)
        #expect(try high.contains(key, in: .all) == [])
        #expect(try low.contains(key, in: .all) == [])
    }

    @Test func `a changed policy applies to later calls`() throws {
        let group = makeGroup()
        group.policies.store = .lowestOnly
        try group.store(entry, for: key)
        #expect(low.entries == [key: entry])
        #expect(high.entries.isEmpty)
    }

    // MARK: Tiers

    @Test func `removing a source under a policy removes it from all caches, and nothing else`() throws {
        let caches = (0..<2).map { _ in
            TieredCache(memory: BoundedMemoryCache(trimsUnderPressure: false), disk: InMemoryDataCache())
        }
        let group = CacheGroup(caches)
        group.policies.store = .serial
        let other = VariantKey(source: key.source, policy: "user=b", variant: key.variant)
        for key in [key, other] {
            try group.store(makeImage(), for: key)
            try group.store(entry, for: key)
        }
        try group.removeAll(of: key.source, under: key.policy, from: .all)
        #expect(try group.contains(key, in: .all) == [])
        #expect(try group.contains(other, in: .all) == .all)
    }

    @Test func `each tier of a group can be queried, removed from and cleared on its own`() throws {
        let group = makeGroup(CacheGroup.Policies(store: .serial))
        try group.store(makeImage(), for: key)
        try group.store(entry, for: key)
        #expect(try group.contains(key, in: .memory) == .memory)
        #expect(try group.contains(key, in: .disk) == .disk)
        try group.remove(key, from: .disk)
        #expect(try group.contains(key, in: .all) == .memory)
        try group.store(entry, for: key)
        try group.removeAll(of: key.source, from: .memory)
        #expect(try group.contains(key, in: .all) == .disk)
        try group.store(makeImage(), for: key)
        try group.clear(.disk)
        #expect(try group.contains(key, in: .all) == .memory)
        try group.clear(.all)
        #expect(try group.contains(key, in: .all) == [])
        #expect(!hasImage(high) && !hasImage(low))
    }

    @Test func `with the serial policy, contains answers for the first cache that has the entry`() throws {
        let group = makeGroup()
        try low.store(makeImage(), for: key)
        try high.store(entry, for: key)
        #expect(try group.contains(key, in: .all) == .disk)
        #expect(try group.contains(key, in: .memory) == .memory)
    }

    @Test func `with the concurrent policy, contains combines the tiers of all caches`() throws {
        let group = makeGroup(CacheGroup.Policies(contains: .concurrent))
        try low.store(makeImage(), for: key)
        #expect(try group.contains(key, in: .all) == .memory)
        try high.store(entry, for: key)
        #expect(try group.contains(key, in: .all) == .all)
        #expect(try group.contains(key, in: .disk) == .disk)
        #expect(try group.contains(key.original, in: .all) == [])
    }

    @Test func `contains has its own policy`() throws {
        let group = makeGroup(CacheGroup.Policies(contains: .lowestOnly, clear: .highestOnly))
        try low.store(entry, for: key)
        #expect(try group.contains(key, in: .all) == .disk)
        try group.clear(.all)
        #expect(try group.contains(key, in: .all) == .disk)
        #expect(high.calls == [.clear])
    }

    @Test(arguments: [CacheGroup.Policy.serial, .concurrent])
    func `memory answers without the disk tiers, and its images stay where they are`(
        policy: CacheGroup.Policy
    ) throws {
        let group = makeGroup(policies(all: policy))
        let image = try makeImage()
        low.store(image, for: key)
        let found = try #require(group.image(for: key))
        #expect(found.isIdentical(to: image))
        #expect(try group.contains(key, in: .memory) == .memory)
        #expect(group.variants(of: key.source) == [key])
        try group.remove(key.original, from: .memory)
        #expect(!hasImage(high))
        #expect(high.calls.isEmpty)
        #expect(low.calls.isEmpty)
    }

    // MARK: Missing tiers

    @Test(arguments: [CacheGroup.Policy.highestOnly, .lowestOnly], [false, true])
    func `a single-cache policy picks, for each tier, a cache that has the tier`(
        policy: CacheGroup.Policy, isMemoryHighest: Bool
    ) throws {
        let memory = TieredCache(memory: BoundedMemoryCache(trimsUnderPressure: false))
        let data = TieredCache(memory: nil, disk: InMemoryDataCache())
        let caches: [any ImageCache] = isMemoryHighest ? [memory, data] : [data, memory]
        let group = CacheGroup(caches, policies: policies(all: policy))
        #expect(group.tiers == .all)
        try group.store(makeImage(), for: key)
        try group.store(entry, for: key)
        #expect(hasImage(memory))
        #expect(hasImage(group))
        #expect(group.variants(of: key.source) == [key])
        #expect(try data.entry(for: key) == entry)
        #expect(try group.entry(for: key) == entry)
        #expect(try group.contains(key, in: .all) == .all)
        try group.remove(key, from: .all)
        #expect(!hasImage(memory))
        #expect(try data.entry(for: key) == nil)
    }

    @Test(arguments: CacheGroup.Policy.allCases)
    func `an operation skips caches that lack the tier`(policy: CacheGroup.Policy) throws {
        let memory = ScriptedImageCache(tiers: .memory)
        let data = ScriptedImageCache(tiers: .disk)
        let group = CacheGroup([memory, data], policies: policies(all: policy))
        try group.store(makeImage(), for: key)
        #expect(hasImage(memory))
        #expect(!hasImage(data))
        try group.store(entry, for: key)
        for call in ScriptedImageCache.Call.allCases {
            try call.perform(on: group, key: key, entry: entry)
            group.waitForFilling()
        }
        #expect(memory.calls.isEmpty)
        #expect(data.calls == [.store] + ScriptedImageCache.Call.allCases)
    }

    // MARK: Special groups

    @Test(arguments: CacheGroup.Policy.allCases)
    func `a group without caches answers at once`(policy: CacheGroup.Policy) throws {
        let group = CacheGroup(policies: policies(all: policy))
        try group.store(makeImage(), for: key)
        #expect(!hasImage(group))
        #expect(try group.contains(key, in: .all) == [])
        #expect(try group.entry(for: key) == nil)
        #expect(group.variants(of: key.source).isEmpty)
        for call in ScriptedImageCache.Call.allCases { try call.perform(on: group, key: key, entry: entry) }
        try group.clear(.all)
        group.waitForFilling()
        #expect(group.statistics == CacheStatistics())
    }

    @Test(arguments: [CacheGroup.Policy.serial, .concurrent])
    func `a group can be a member of a group`(policy: CacheGroup.Policy) throws {
        let bottom = ScriptedImageCache(entry, for: key)
        let inner = CacheGroup([high, low], policies: policies(all: policy))
        let group = CacheGroup([inner, bottom], policies: policies(all: policy))
        #expect(try group.contains(key, in: .all) == .disk)
        #expect(try group.entry(for: key) == entry)
        group.waitForFilling()
        #expect(high.entries == [key: entry])
        #expect(low.entries == [key: entry])
        try group.remove(key, from: .all)
        for cache in [high, low, bottom] { #expect(cache.entries.isEmpty) }
    }

    // MARK: Statistics

    @Test func `the statistics of a group are the sums over its caches`() throws {
        let memories = [
            BoundedMemoryCache(trimsUnderPressure: false), BoundedMemoryCache(trimsUnderPressure: false),
        ]
        let tiered = TieredCache(memory: memories[0], disk: InMemoryDataCache())
        let group = CacheGroup(
            [tiered, CacheGroup([TieredCache(memory: memories[1])])], policies: CacheGroup.Policies(store: .serial))
        try group.store(makeImage(), for: key)
        _ = group.image(for: key)
        _ = group.image(for: key.original)
        let statistics = group.statistics
        #expect(statistics.memory?.hits == 1)
        #expect(statistics.memory?.insertions == 2)
        #expect(statistics.memory?.count == 2)
        #expect(statistics.memory?.byteCount == memories[0].totalCost + memories[1].totalCost)
        #expect(statistics.disk == tiered.statistics.disk)
        group.remove(tiered)
        #expect(group.statistics.disk == nil)
    }

    @Test(arguments: [CacheGroup.Policy.serial, .concurrent])
    func `a query counts once, however many caches are asked`(policy: CacheGroup.Policy) throws {
        let benches = [DiskBench(), DiskBench()]
        let caches = benches.map { bench in
            TieredCache(memory: BoundedMemoryCache(trimsUnderPressure: false), disk: bench.cache())
        }
        let group = CacheGroup(caches, policies: policies(all: policy))
        try caches[1].store(makeImage(), for: key)
        try caches[1].store(entry, for: key)
        for key in [key, key.original, key] {
            _ = group.image(for: key)
            _ = try group.entry(for: key)
            group.waitForFilling()
        }
        let statistics = group.statistics
        #expect(statistics.memory?.hits == 2)
        #expect(statistics.memory?.misses == 1)
        #expect(statistics.disk?.hits == 2)
        #expect(statistics.disk?.misses == 1)
        #expect(statistics.disk?.insertions == 2, "the direct store and the copy")
        withExtendedLifetime(benches) {}
    }

    @Test func `a group has no counts if none of its caches counts`() throws {
        let group = CacheGroup([TieredCache(memory: nil, disk: InMemoryDataCache())])
        try group.store(entry, for: key)
        _ = try group.entry(for: key)
        #expect(group.statistics == CacheStatistics(disk: DataCacheStatistics()))
    }

    @Test func `a sum of statistics keeps a value that only one side has`() {
        var one = DataCacheStatistics()
        one.hits = 2
        one.reading.count = 2
        one.reading.total = .seconds(3)
        one.reading.longest = .seconds(2)
        var other = DataCacheStatistics()
        #expect((one + other).count == nil)
        other.hits = 1
        other.misses = 4
        other.count = 7
        other.byteCount = 70
        other.reading.count = 1
        other.reading.total = .seconds(5)
        other.reading.longest = .seconds(5)
        let sum = one + other
        #expect(sum.hits == 3)
        #expect(sum.misses == 4)
        #expect(sum.count == 7)
        #expect(sum.byteCount == 70)
        #expect((other + other).count == 14)
        #expect(sum.reading.count == 3)
        #expect(sum.reading.total == .seconds(8))
        #expect(sum.reading.longest == .seconds(5))
        let tiers = CacheStatistics(disk: one) + CacheStatistics(memory: MemoryCacheStatistics(), disk: other)
        #expect(tiers == CacheStatistics(memory: MemoryCacheStatistics(), disk: sum))
    }

    // MARK: In a manager

    @Test func `a manager finds an entry of any cache in a group, and the group copies it up`() async throws {
        let bench = Bench()
        let (upper, lower) = (InMemoryDataCache(), InMemoryDataCache())
        let shared = TieredCache(memory: nil, disk: lower)
        let group = CacheGroup([TieredCache(memory: bench.memory, disk: upper), shared])
        // Given an entry in the lower cache, stored without the group
        _ = try await bench.manager.image(for: bench.request([.imageCache(shared)]))
        #expect(upper.keys.isEmpty)
        // When it is requested through the group
        let request = bench.request([.imageCache(group)])
        #expect(try await bench.manager.response(for: request).source == .disk)
        group.waitForFilling()
        // Then both caches have it until it is removed
        #expect(upper.keys == lower.keys)
        #expect(try await bench.manager.response(for: request).source == .memory)
        #expect(bench.loader.loadCount == 1)
        try await bench.manager.remove(request, allVariants: true)
        #expect(upper.keys.isEmpty)
        #expect(lower.keys.isEmpty)
        #expect(try await bench.manager.response(for: request).source == .loader)
        #expect(!upper.keys.isEmpty)
        #expect(lower.keys.isEmpty, "loaded data is stored only in the highest cache")
    }

    @Test func `loaded data is stored even if the highest cache has only memory`() async throws {
        let bench = Bench()
        let group = CacheGroup([TieredCache(memory: bench.memory), TieredCache(memory: nil, disk: bench.data)])
        let request = bench.request([.imageCache(group)])
        _ = try await bench.manager.image(for: request)
        #expect(try await bench.manager.contains(request, in: .disk) == .disk)
        #expect(!bench.data.keys.isEmpty)
        bench.memory.clear()
        #expect(try await bench.manager.response(for: request).source == .disk)
    }

    @Test func `a group does not bring an image into memory if it is to be stored on disk only`() async throws {
        let bench = Bench()
        let shared = TieredCache(memory: nil, disk: InMemoryDataCache())
        let group = CacheGroup([bench.cache, shared])
        _ = try await bench.manager.image(for: bench.request([.imageCache(shared)]))
        let request = bench.request([.imageCache(group), .storeCacheType(.disk)])
        for _ in 0..<2 {
            #expect(try await bench.manager.response(for: request).source == .disk)
            group.waitForFilling()
        }
        #expect(bench.memory.count == 0)
        #expect(try await bench.manager.contains(request) == .disk)
    }

    @Test(arguments: [false, true])
    func `a custom image cache serves all operations, alone and in a group`(isInGroup: Bool) async throws {
        let own = ScriptedImageCache()
        let cache: any ImageCache = isInGroup ? CacheGroup([own]) : own
        let bench = Bench(context: [.imageCache(cache)])
        let request = bench.request()
        _ = try await bench.manager.image(for: request)
        #expect(try await bench.manager.contains(request) == .all)
        #expect(try await bench.manager.response(for: request).source == .memory)
        #expect(try await bench.manager.response(for: bench.request([.queryCacheType(.disk)])).source == .disk)
        try await bench.manager.remove(request)
        #expect(try await bench.manager.contains(request) == [])
        _ = try await bench.manager.image(for: request)
        #expect(bench.loader.loadCount == 2)
        try own.clear(.all)
        #expect(own.entries.isEmpty)
        #expect(try await bench.manager.contains(request) == [])
    }

    @Test func `a cache of a group that fails is an event, and the image is loaded`() async throws {
        struct Broken: Error {}
        let bench = Bench()
        high.fail([.entry], with: Broken())
        let response = try await bench.manager.response(for: bench.request([.imageCache(makeGroup())]))
        #expect(response.source == .loader)
        await bench.manager.waitForEvents()
        #expect(
            bench.listener.issues.contains {
                $0.code == .cacheFailed && $0.component == "ScriptedImageCache" && $0.cause is Broken
            })
    }
}
