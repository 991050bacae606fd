import CalotypeTesting
import Testing

@testable import Calotype

/// Entries that are renewed because their sources have revalidated them.
@Suite(.timeLimit(.minutes(5)))
struct EntryRenewalTests {
    /// A data cache in a dictionary that can report facts about its entries, and counts its uses.
    private final class FactualDataCache: DataCache {
        let kept: InMemoryDataCache
        private let tellsFacts: Bool
        private let otherFacts: CacheEntry.Facts?
        private let uses = Lock(0)

        /// - Parameters:
        /// - tellsFacts: Whether it reports facts.
        /// - otherFacts: The facts that it reports for all entries; nil for the actual ones.
        /// - time: The clock for expiration.
        init(tellsFacts: Bool, otherFacts: CacheEntry.Facts? = nil, time: any TimeSource) {
            kept = InMemoryDataCache(time: time)
            self.tellsFacts = tellsFacts
            self.otherFacts = otherFacts
        }

        var useCount: Int { uses.withLock(\.self) }

        func entry(for key: VariantKey) throws -> CacheEntry? {
            uses.withLock { $0 += 1 }
            return try kept.entry(for: key)
        }

        func facts(of key: VariantKey) -> CacheEntry.Facts? {
            guard tellsFacts, let entry = try? kept.entry(for: key) else { return nil }
            if let otherFacts { return otherFacts }
            return CacheEntry.Facts(
                byteCount: entry.data.count, expiration: entry.expiration, attributes: entry.attributes)
        }

        func contains(_ key: VariantKey) throws -> Bool { try kept.contains(key) }
        func store(_ entry: CacheEntry, for key: VariantKey) throws { try kept.store(entry, for: key) }
        func remove(_ key: VariantKey) throws { try kept.remove(key) }
        func removeAll(of source: SourceKey) throws { try kept.removeAll(of: source) }
        func clear() throws { try kept.clear() }
    }

    private static let file = RawImageCoder.file(width: 40, height: 30)
    private let bench = Bench()

    /// Revalidates an entry with a lifetime of a hundred seconds after sixty of them.
    /// - Parameters:
    /// - validators: The validators of the source; nil for its bytes.
    /// - newValidators: The validators at the revalidation; nil for the same.
    /// - isProlonged: Whether the entry lives for a hundred seconds from then on.
    /// - meanwhile: Called during the revalidation.
    /// - Returns: The number of uses of the cache after that.
    @discardableResult
    private func refresh(
        in data: FactualDataCache, by validators: Validators? = Validators(entityTag: "\"1\""),
        then newValidators: Validators? = nil, isProlonged: Bool = true,
        _ meanwhile: (ImageRequest, VariantKey) async throws -> Void = { _, _ in }
    ) async throws -> Int {
        let head = LoadHead(validators: validators)
        bench.loader.answer(Bench.url.absoluteString, with: .version(Self.file, head))
        let cache = TieredCache(memory: nil, disk: data)
        let request = bench.request([.imageCache(cache), .timeToLive(.seconds(100))])
        let key = try await bench.manager.cacheKey(for: request)
        _ = try await bench.manager.image(for: request)
        bench.time.advance(by: .seconds(60))
        if let newValidators {
            let head = LoadHead(validators: newValidators)
            bench.loader.answer(Bench.url.absoluteString, with: .version(Self.file, head))
        }
        bench.gate.close()
        let context: ImageContext = isProlonged ? [.refreshCached] : [.refreshCached, .off(.timeToLive)]
        let task = bench.manager.load(request.with(context))
        await bench.gate.waitForArrivals(2)
        try await meanwhile(request, key)
        let useCount = data.useCount
        bench.gate.open()
        #expect(try await task.response.source == .revalidated)
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
        return data.useCount - useCount
    }

    private func entry(in data: FactualDataCache) async throws -> CacheEntry? {
        try data.kept.entry(for: try await bench.manager.cacheKey(for: bench.request()))
    }

    @Test func `a renewal is no use of the entry if the cache has facts`() async throws {
        let data = FactualDataCache(tellsFacts: true, time: bench.time)
        #expect(try await refresh(in: data) == 0)
        #expect(try await entry(in: data)?.expiration == bench.time.wallTime() + 100)
    }

    @Test(arguments: [true, false])
    func `an entry that expired while the source was asked is renewed too`(tellsFacts: Bool) async throws {
        let data = FactualDataCache(tellsFacts: tellsFacts, time: bench.time)
        try await refresh(in: data) { _, key in
            bench.time.advance(by: .seconds(50))
            #expect((try? data.kept.entry(for: key)) == nil)
        }
        let entry = try await entry(in: data)
        #expect(entry?.data == Self.file)
        #expect(entry?.expiration == bench.time.wallTime() + 100)
    }

    @Test(arguments: [true, false])
    func `an entry removed meanwhile is not renewed`(tellsFacts: Bool) async throws {
        let data = FactualDataCache(tellsFacts: tellsFacts, time: bench.time)
        try await refresh(in: data) { request, _ in try await bench.manager.remove(request) }
        #expect(try await entry(in: data) == nil)
    }

    @Test(arguments: [true, false], [Validators(entityTag: "\"1\""), nil])
    func `an entry that another manager has replaced meanwhile is not renewed`(
        tellsFacts: Bool, validators: Validators?
    ) async throws {
        let data = FactualDataCache(tellsFacts: tellsFacts, time: bench.time)
        let other = RawImageCoder.file(width: 20, height: 10)
        try await refresh(in: data, by: validators) { _, key in
            let old = try data.kept.entry(for: key)
            // Without validators, all metadata except the expiration is the same.
            let attributes = validators == nil ? old?.attributes ?? [:] : [:]
            try data.store(
                CacheEntry(data: other, expiration: bench.time.wallTime() + 100, attributes: attributes), for: key)
        }
        #expect(try await entry(in: data)?.data == other)
    }

    @Test(arguments: [true, false])
    func `an entry removed directly from the cache before it expired is not renewed`(tellsFacts: Bool) async throws {
        let data = FactualDataCache(tellsFacts: tellsFacts, time: bench.time)
        try await refresh(in: data) { _, key in try data.removeAll(of: key.source) }
        #expect(data.kept.keys.isEmpty)
        #expect(data.kept.stores.count == 1)
    }

    /// The revalidation changes the metadata, but does not extend the lifetime.
    @Test(arguments: [true, false], [false, true])
    func `an entry that is still expired after the renewal is not stored`(tellsFacts: Bool, isOver: Bool) async throws {
        let data = FactualDataCache(tellsFacts: tellsFacts, time: bench.time)
        try await refresh(in: data, then: Validators(entityTag: "\"2\""), isProlonged: false) { _, _ in
            if isOver { bench.time.advance(by: .seconds(50)) }
        }
        #expect(data.kept.stores.count == (isOver ? 1 : 2))
        // An expired entry is not restored; otherwise the new metadata is stored.
        let tag = try await entry(in: data).flatMap { LoadHead($0).validators?.entityTag }
        #expect(tag == (isOver ? nil : "\"2\""))
    }

    @Test func `an entry whose facts are of another one is left unchanged, and not read`() async throws {
        let other = CacheEntry.Facts(byteCount: 5, expiration: nil, attributes: ["another": "entry"])
        let data = FactualDataCache(tellsFacts: true, otherFacts: other, time: bench.time)
        #expect(try await refresh(in: data) == 0)
        #expect(data.kept.stores.count == 1)
        #expect(try await entry(in: data)?.expiration == bench.time.wallTime() + 40)
    }
}
