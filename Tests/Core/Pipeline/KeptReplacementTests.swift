import CalotypeTesting
import Testing

@testable import Calotype

/// What takes the place of what caches have, while others ask for that.
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
        // Given an old picture on disk, and a load past the caches that has decoded and is not kept yet
        let request = bench.request([.transformer(FakeTransformer(gate: gate))])
        let key = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: Self.file(Self.red, width: 10)), for: key)
        answer(bench, Self.blue)
        let load = bench.manager.load(request.with([.fromLoaderOnly]))
        await gate.waitForArrivals(1)
        // When the old one is read before the new one is kept, and is not decoded until it is
        let pipeline = bench.manager.pipeline
        let reading = ReadKey(
            entry: EntryKey(key, in: bench.cache, after: pipeline.changes),
            transfer: try await bench.manager.resolved(of: request).transfer)
        let early = bench.manager.load(request)
        await coder.gate(10).waitForArrivals(1)
        gate.open()
        #expect(try await load.response.image.pixels.color(x: 0, y: 0).blue == 1)
        let late = bench.manager.load(request.with([.queryCacheType(.disk)]))
        try await waitUntil("the late one has ended, or waits for the same read") {
            late.isFinished || pipeline.reads.waiterCount(for: reading) >= 2
        }
        coder.gate(10).open()
        // Then who has read it has it, and nobody else
        #expect(try await early.response.image.pixels.color(x: 0, y: 0).red == 1)
        #expect(try await late.response.image.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.memory.peek(at: key)?.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.loader.loadCount == 1)
    }

    @Test(arguments: [[], .memory] as [CacheTiers])
    func `a variant read earlier is no longer stored, even if the load skipped the look-up`(tiers: CacheTiers)
        async throws
    {
        let bench = Bench(concurrency: Concurrency(decodes: 2))
        let coder = GatedCoder()
        bench.manager.registry.coders.add(coder)
        coder.gate(40).open()
        defer { coder.gate(10).open() }
        // Given an old variant on disk, without its original, that somebody has read and that is not decoded yet
        let request = thumbnail(10, in: bench)
        let key = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: Self.file(Self.red, width: 10)), for: key)
        answer(bench, Self.blue)
        let early = bench.manager.load(request)
        await coder.gate(10).waitForArrivals(1)
        // When one who does not look for variants on disk loads the original, and keeps what is made of it
        let blind = try await bench.manager.response(for: request.with([.queryCacheType(tiers)]))
        #expect(blind.source == .loader)
        let color = blind.image.pixels.color(x: 0, y: 0)
        #expect(color.blue > color.red)
        #expect(bench.memory.peek(at: key)?.pixels.color(x: 0, y: 0) == color)
        coder.gate(10).open()
        // Then who has read the old one has it, and it does not take the place of the new one
        #expect(try await early.response.image.pixels.color(x: 0, y: 0).red == 1)
        #expect(bench.memory.peek(at: key)?.pixels.color(x: 0, y: 0) == color)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a variant of an old original is no longer stored, even if the load skipped the look-up`() async throws {
        let bench = Bench(concurrency: Concurrency(decodes: 2))
        let coder = GatedCoder()
        bench.manager.registry.coders.add(coder)
        coder.gate(40).open()
        defer { coder.gate(12).open() }
        // Given an old original on disk that somebody has read and that is not decoded yet
        let request = thumbnail(10, in: bench)
        let key = try await bench.manager.cacheKey(for: request)
        try bench.data.store(CacheEntry(data: Self.file(Self.red, width: 12)), for: key.original)
        answer(bench, Self.blue)
        let early = bench.manager.load(request)
        await coder.gate(12).waitForArrivals(1)
        // When one who looks for originals in memory alone loads it, and keeps it on disk
        let blind = bench.request([.transformer(FakeTransformer()), .originalQueryCacheType(.memory)])
        #expect(try await bench.manager.response(for: blind.with([.waitStoreCache])).source == .loader)
        #expect(try bench.data.entry(for: key.original)?.data == Self.file(Self.blue))
        coder.gate(12).open()
        // Then nothing is kept that was made of the old one
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
        // The load, its original and what was made of that
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
        // Given a picture in the place of another one, which is being removed
        answer(bench, Self.blue)
        let task = bench.manager.load(request.with([.refreshCached]))
        await gate.waitForArrivals(1)
        // When somebody would store one by hand, and is cancelled before that has gone
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
        // Then what was loaded is kept
        #expect(try await task.response.image.pixels.color(x: 0, y: 0).blue == 1)
        #expect(memory.peek(at: key)?.pixels.color(x: 0, y: 0).blue == 1)
        #expect(bench.manager.pipeline.changes.replacementCount == 1)
    }

    /// A coder whose decodes of large pictures to thumbnails wait at a gate.
    private struct ThumbnailGatingCoder: ImageCoder {
        let gate: BlockingGate
        var formats: [ImageFormat] { [RawImageCoder.format] }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            let decoder = try RawImageCoder().decoder(for: bytes, options: options)
            guard options.thumbnailPixelSize != nil, try decoder?.info.pixelSize.width == 40 else { return decoder }
            return try RawImageCoder(gate: gate).decoder(for: bytes, options: options)
        }
    }

    @Test func `an original removed by a refresh that shares its load is stored again`() async throws {
        let bench = Bench(isOpen: false, concurrency: Concurrency(decodes: 2, transforms: 2))
        let (transformGate, decodeGate) = (BlockingGate(), BlockingGate())
        defer {
            transformGate.open()
            decodeGate.open()
        }
        // Given an old original on disk, and a request that loads the new one past the caches
        let key = try await bench.manager.cacheKey(for: bench.request())
        try bench.data.store(CacheEntry(data: Self.file(Self.red, width: 10)), for: key)
        answer(bench, Self.blue)
        bench.manager.registry.coders.add(ThumbnailGatingCoder(gate: decodeGate))
        let storing = bench.manager.load(
            bench.request([.fromLoaderOnly, .transformer(FakeTransformer(gate: transformGate))]))
        await bench.gate.waitForArrivals(1)
        // When a request that refreshes the old one, and stores nothing, shares the load
        let refreshing = bench.manager.load(
            bench.request([
                .refreshCached, .thumbnailPixelSize(10, 10), .storeCacheType([]), .originalStoreCacheType([]),
            ]))
        try await waitUntil("the load is shared") { (bench.manager.statistics.stages[.load]?.joins ?? 0) > 0 }
        bench.gate.open()
        // and removes the old one after the first request has stored the new one
        await transformGate.waitForArrivals(1)
        try await waitUntil("the new one is stored") { try bench.data.entry(for: key)?.data == Self.file(Self.blue) }
        decodeGate.open()
        _ = try await refreshing.response
        transformGate.open()
        _ = try await storing.response
        await bench.manager.pipeline.pendingStores.wait(for: bench.cache)
        // Then the new one is there
        #expect(try bench.data.entry(for: key)?.data == Self.file(Self.blue))
        #expect(bench.loader.loadCount == 1)
    }
}
