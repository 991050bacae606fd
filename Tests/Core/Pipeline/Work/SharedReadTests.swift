import CalotypeTesting
import Testing

@testable import Calotype

/// Entries that several concurrent requests read are read once.
@Suite(.timeLimit(.minutes(5)))
struct SharedReadTests {
    private let gate = BlockingGate()
    private let bench: Bench
    private let data: GatedDataCache
    private let cache: TieredCache

    init() {
        data = GatedDataCache(reads: gate)
        cache = TieredCache(memory: nil, disk: data)
        bench = Bench(context: [.imageCache(cache)])
    }

    private var pipeline: Pipeline { bench.manager.pipeline }

    /// Waits until a work has a number of waiters.
    private func waitForWaiters<Key, Value>(_ count: Int, of key: Key, in table: WorkTable<Key, Value>) async throws {
        try await waitUntil("\(count) waiters wait for the work") { table.waiterCount(for: key) >= count }
    }

    @Test func `an original is read once, whatever its variants and load permissions`() async throws {
        let key = try await bench.manager.cacheKey(for: bench.request())
        try data.kept.store(CacheEntry(data: RawImageCoder.file(width: 40, height: 30)), for: key)
        // Given the original itself, a thumbnail, and three more requests that look up the original in different ways
        let contexts: [ImageContext] = [
            [], [.thumbnailPixelSize(10, 10), .queryCacheType([])],
            [.thumbnailPixelSize(11, 11), .queryCacheType([]), .fromCacheOnly],
            [.thumbnailPixelSize(12, 12), .queryCacheType([]), .originalQueryCacheType(.all)],
            [.thumbnailPixelSize(13, 13), .queryCacheType([]), .decodeTimeout(.seconds(60))],
        ]
        let requests = contexts.map { bench.request($0) }
        let plain = OriginalKey(try await bench.manager.resolved(of: requests[0]), after: pipeline.changes)
        let tasks = requests.map { bench.manager.load($0) }
        try await waitForWaiters(2, of: plain, in: pipeline.originals)
        try await waitForWaiters(4, of: EntryKey(key, in: cache, after: pipeline.changes), in: pipeline.entries)
        gate.open()
        for task in tasks { #expect(try await task.response.source == .disk) }
        #expect(data.readKeys == [key])
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `a variant is read once, and decoded once for equal requests`() async throws {
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        let resolved = try await bench.manager.resolved(of: request)
        let key = EntryKey(resolved.variant, in: cache, after: pipeline.changes)
        try data.kept.store(CacheEntry(data: RawImageCoder.file(width: 10, height: 8)), for: resolved.variant)
        // Given equal requests, and one with another decode timeout
        let other = request.with([.decodeTimeout(.seconds(60))])
        let tasks = ([other] + Array(repeating: request, count: 10)).map { bench.manager.load($0) }
        try await waitForWaiters(10, of: ReadKey(entry: key, transfer: resolved.transfer), in: pipeline.reads)
        try await waitForWaiters(2, of: key, in: pipeline.entries)
        gate.open()
        for task in tasks { #expect(try await task.response.source == .disk) }
        #expect(data.readKeys == [resolved.variant])
        #expect(bench.coder.decodeCount == 2)
    }

    @Test func `a request after a removal shares no read with earlier ones`() async throws {
        let request = bench.request()
        let before = EntryKey(
            try await bench.manager.cacheKey(for: request), in: cache, after: pipeline.changes)
        let first = bench.manager.load(request)
        // The read must have begun: a removal before the read would make it a miss
        await gate.waitForArrivals(1)
        #expect(pipeline.entries.waiterCount(for: before) == 1)
        // When the image is removed during the read, and the removal has ended
        try await bench.manager.remove(request)
        let after = EntryKey(before.place.variant, in: cache, after: pipeline.changes)
        #expect(before != after)
        let second = bench.manager.load(request)
        try await waitUntil("both requests wait for an entry") {
            pipeline.entries.waiterCount(for: before) + pipeline.entries.waiterCount(for: after) >= 2
        }
        #expect(pipeline.entries.waiterCount(for: after) == 1)
        gate.open()
        for task in [first, second] { _ = try await task.response }
    }

    /// A coder that blocks before it decodes a whole picture.
    private struct HeldCoder: ImageCoder {
        let coder: RawImageCoder
        let gate: BlockingGate
        var formats: [ImageFormat] { coder.formats }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            if options.thumbnailPixelSize == nil { gate.pass() }
            return try coder.decoder(for: bytes, options: options)
        }
    }

    @Test func `an original that was loaded again stays if another request finds the old one damaged`()
        async throws
    {
        let held = BlockingGate()
        defer { held.open() }
        let bench = Bench(concurrency: Concurrency(decodes: 2), context: [.imageCache(cache)])
        let pipeline = bench.manager.pipeline
        bench.manager.registry.coders.add(HeldCoder(coder: bench.coder, gate: held))
        let resolved = try await bench.manager.resolved(of: bench.request())
        let whole = RawImageCoder.file(width: 40, height: 30)
        try data.kept.store(CacheEntry(data: whole.dropLast(40 * 4 * 10)), for: resolved.variant)
        // Given two requests that share a damaged original
        let quick = bench.manager.load(bench.request([.thumbnailPixelSize(10, 10), .queryCacheType([])]))
        let slow = bench.manager.load(bench.request())
        try await waitForWaiters(2, of: OriginalKey(resolved, after: pipeline.changes), in: pipeline.originals)
        gate.open()
        // When one of them finds it damaged, loads it and stores it, and the other finds it damaged afterward
        #expect(try await quick.response.source == .loader)
        held.open()
        #expect(try await slow.response.source == .loader)
        await pipeline.pendingStores.wait(for: cache)
        #expect(try data.kept.entry(for: resolved.variant)?.data == whole)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a reloaded original stays also if both requests read the old one immediately`() async throws {
        let held = BlockingGate()
        defer { held.open() }
        let bench = HereBench(
            HeldCoder(coder: RawImageCoder(), gate: held), concurrency: Concurrency(decodes: 2))
        let whole = RawImageCoder.file(width: 40, height: 30)
        try bench.serve(whole)
        try await bench.keep(whole.dropLast(40 * 4 * 10))
        let key = try await bench.manager.cacheKey(for: HereBench.request)
        // Given a request that has read a damaged original, but not yet decoded it
        let slow = bench.manager.load(HereBench.request)
        await held.waitForArrivals(1)
        #expect(bench.data.immediateReads.map(\.key) == [key])
        // When another request reads it, finds it damaged, loads it, stores it and ends
        let quick = bench.manager.load(
            HereBench.request.with([.thumbnailPixelSize(10, 10), .queryCacheType([])]))
        #expect(try await quick.response.source == .loader)
        #expect(bench.data.immediateReads.map(\.key) == [key, key])
        #expect(bench.loader.loadCount == 1)
        held.open()
        // Then the first one uses the loaded original
        #expect(try await slow.response.source == .loader)
        #expect(bench.loader.loadCount == 1)
        let cache = try #require(try await bench.manager.resolved(of: HereBench.request).cache)
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
        #expect(try bench.data.kept.entry(for: key)?.data == whole)
    }

    @Test func `a waiter that leaves does not take the read from the others`() async throws {
        let request = bench.request([.thumbnailPixelSize(10, 10)])
        let key = try await bench.manager.cacheKey(for: request)
        try data.kept.store(CacheEntry(data: RawImageCoder.file(width: 10, height: 8)), for: key)
        let first = bench.manager.load(request)
        await gate.waitForArrivals(1)
        let second = bench.manager.load(request.with([.decodeTimeout(.seconds(60))]))
        try await waitForWaiters(2, of: EntryKey(key, in: cache, after: pipeline.changes), in: pipeline.entries)
        first.cancel()
        gate.open()
        #expect(try await second.response.source == .disk)
        let error = await imageError { try await first.response }
        #expect(error?.code == .cancelled)
        #expect(data.readKeys == [key])
    }
}
