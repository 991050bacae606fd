import CalotypeTesting
import Testing

@testable import Calotype

/// Replacements of cached images while other requests read them.
@Suite(.timeLimit(.minutes(5)))
struct KeptReplacementTests {
    private static let red = SIMD4<UInt8>(255, 0, 0, 255)
    private static let blue = SIMD4<UInt8>(0, 0, 255, 255)

    private static func file(_ color: SIMD4<UInt8>, width: Int = 40) -> Data {
        RawImageCoder.file(RawImageCoder.Header(width: width, height: 30)) { _, _, _ in color }
    }

    private func answer(_ bench: Bench, _ color: SIMD4<UInt8>) {
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(Self.file(color)))
    }

    private func thumbnail(_ size: Int, in bench: Bench) -> ImageRequest {
        bench.request([.thumbnailPixelSize(size, size)])
    }

    @Test func `an older read is not stored after a new store, and is not shared with later requests`()
        async throws
    {
        let bench = Bench(concurrency: Concurrency(decodes: 2, transforms: 2))
        let (coder, gate) = (GatedCoder(), BlockingGate())
        bench.manager.registry.coders.add(coder)
        coder.gate(40).open()
        defer {
            gate.open()
            coder.gate(10).open()
        }
        // Given an old picture on disk, and a load that bypasses the caches, whose image is decoded but not yet stored
        let request = bench.request([.transformer(FakeTransformer(gate: gate))])
        let key = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: Self.file(Self.red, width: 10)), for: key)
        answer(bench, Self.blue)
        let load = bench.manager.load(request.with([.fromLoaderOnly]))
        await gate.waitForArrivals(1)
        // When the old picture is read before the new one is stored, and decoded after it
        let pipeline = bench.manager.pipeline
        let reading = ReadKey(
            entry: EntryKey(key, in: bench.cache, after: pipeline.changes),
            transfer: try await bench.manager.resolved(of: request).transfer)
        let early = bench.manager.load(request)
        await coder.gate(10).waitForArrivals(1)
        gate.open()
        #expect(try await load.response.image.pixels.color(x: 0, y: 0).blue == 1)
        let late = bench.manager.load(request.with([.queryCacheType(.disk)]))
        try await waitUntil("the late request has ended, or waits for the same read") {
            late.isFinished || pipeline.reads.waiterCount(for: reading) >= 2
        }
        coder.gate(10).open()
        // Then only the request that has read the old one receives it
        #expect(try await early.response.image.pixels.color(x: 0, y: 0).red == 1)
        #expect(try await late.response.image.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.memory.peek(at: key)?.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.loader.loadCount == 1)
    }

    @Test(arguments: [[], .memory] as [CacheTiers])
    func `a variant read earlier is no longer stored, even if the load skipped the lookup`(tiers: CacheTiers)
        async throws
    {
        let bench = Bench(concurrency: Concurrency(decodes: 2))
        let coder = GatedCoder()
        bench.manager.registry.coders.add(coder)
        coder.gate(40).open()
        defer { coder.gate(10).open() }
        // Given an old variant on disk without its original, which a request has read but not yet decoded
        let request = thumbnail(10, in: bench)
        let key = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: Self.file(Self.red, width: 10)), for: key)
        answer(bench, Self.blue)
        let early = bench.manager.load(request)
        await coder.gate(10).waitForArrivals(1)
        // When a request that does not look up variants on disk loads the original, and stores a variant
        let blind = try await bench.manager.response(for: request.with([.queryCacheType(tiers)]))
        #expect(blind.source == .loader)
        let color = blind.image.pixels.color(x: 0, y: 0)
        #expect(color.blue > color.red)
        #expect(bench.memory.peek(at: key)?.pixels.color(x: 0, y: 0) == color)
        coder.gate(10).open()
        // Then the earlier request receives the old one, which does not replace the new one
        #expect(try await early.response.image.pixels.color(x: 0, y: 0).red == 1)
        #expect(bench.memory.peek(at: key)?.pixels.color(x: 0, y: 0) == color)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a variant of an old original is no longer stored, even if the load skipped the lookup`() async throws {
        let bench = Bench(concurrency: Concurrency(decodes: 2))
        let coder = GatedCoder()
        bench.manager.registry.coders.add(coder)
        coder.gate(40).open()
        defer { coder.gate(12).open() }
        // Given an old original on disk, which a request has read but not yet decoded
        let request = thumbnail(10, in: bench)
        let key = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: Self.file(Self.red, width: 12)), for: key.original)
        answer(bench, Self.blue)
        let early = bench.manager.load(request)
        await coder.gate(12).waitForArrivals(1)
        // When a request that looks up originals only in memory loads it, and stores it on disk
        let blind = bench.request([.transformer(FakeTransformer()), .originalQueryCacheType(.memory)])
        #expect(try await bench.manager.response(for: blind.with([.waitStoreCache])).source == .loader)
        #expect(try bench.data.entry(for: key.original)?.data == Self.file(Self.blue))
        coder.gate(12).open()
        // Then nothing that was made from the old one is stored
        #expect(try await early.response.image.pixels.color(x: 0, y: 0).red == 1)
        #expect(bench.memory.peek(at: key) == nil)
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: bench.cache))
        #expect(try bench.data.entry(for: key) == nil)
    }

    @Test func `requests that share a load past the caches make one change for each key`() async throws {
        let bench = Bench(isOpen: false)
        let request = thumbnail(10, in: bench).with([.fromLoaderOnly])
        let tasks = (0..<20).map { _ in bench.manager.load(request) }
        let pipeline = bench.manager.pipeline
        let resolved = try await bench.manager.resolved(of: request)
        try await bench.manager.waitForWaiters(tasks.count, for: .decode, of: request)
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        // The load, its original and the variant
        #expect(pipeline.changes.count(of: resolved.variant.source) == 3)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `storing without replacing anything is not a change`() async throws {
        let bench = Bench()
        for request in [bench.request(), thumbnail(10, in: bench)] { _ = try await bench.manager.image(for: request) }
        let source = try await bench.manager.cacheKey(for: bench.request()).source
        #expect(bench.manager.pipeline.changes.count(of: source) == 0)
        #expect(bench.data.stores.count == 2)
    }

    @Test func `a direct store that is cancelled while it waits changes nothing`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let data = GatedDataCache(onRemoval: { gate.pass() })
        let memory = BoundedMemoryCache(costLimit: 1 << 20, trimsUnderPressure: false)
        let bench = Bench(context: [.imageCache(TieredCache(memory: memory, disk: data))])
        answer(bench, Self.red)
        let request = bench.request()
        let key = try await bench.manager.cacheKey(for: request)
        _ = try await bench.manager.image(for: request)
        // Given a loaded picture that replaces another one, whose removal is in progress
        answer(bench, Self.blue)
        let task = bench.manager.load(request.with([.refreshCached]))
        await gate.waitForArrivals(1)
        // When a manual store is cancelled before the removal has ended
        let image = try await bench.manager.decode(Self.file(SIMD4(0, 255, 0, 255)))
        let failure = Lock<ImageError?>(nil)
        let store = CallWindow().begin { [manager = bench.manager] in
            let error = await imageError { try await manager.store(image, for: request) }
            failure.withLock { $0 = error }
        }
        store.cancel()
        await store.value
        #expect(failure.withLock { $0 }?.code == .cancelled)
        gate.open()
        // Then the loaded picture is stored
        #expect(try await task.response.image.pixels.color(x: 0, y: 0).blue == 1)
        #expect(memory.peek(at: key)?.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.manager.pipeline.changes.replacementCount == 1)
    }
}
