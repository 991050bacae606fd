import CalotypeTesting
import Testing

@testable import Calotype

/// Reading, writing, decoding and encoding, none of which waits for a slow operation of another kind.
@Suite(.timeLimit(.minutes(5)))
struct LaneIndependenceTests {
    private let file = RawImageCoder.file(width: 8, height: 6)
    private let other = ImageRequest("fake://host/other.raw")

    @Test func `slow writes delay no read, load or decode`() async throws {
        // Given a single writing thread, which is blocked
        let gate = BlockingGate()
        defer { gate.open() }
        let data = GatedDataCache(stores: gate)
        let bench = Bench(
            concurrency: Concurrency(writes: 1),
            context: [.off(.waitStoreCache), .imageCache(TieredCache(memory: nil, disk: data))])
        _ = try await bench.manager.image(for: "fake://host/slow.raw")
        await gate.waitForArrivals(1)
        // Then an entry on disk is read, and a missing one is loaded
        let key = try await bench.manager.cacheKey(for: other)
        try data.kept.store(CacheEntry(data: file), for: key)
        #expect(try await bench.manager.response(for: other).source == .disk)
        let thumbnail = bench.request([.thumbnailPixelSize(3, 3)])
        #expect(try await bench.manager.response(for: thumbnail).source == .loader)
    }

    @Test func `no request waits for a damaged entry to be removed`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let data = GatedDataCache(stores: gate)
        let cache = TieredCache(memory: nil, disk: data)
        let bench = Bench(
            concurrency: Concurrency(writes: 1), context: [.off(.waitStoreCache), .imageCache(cache)])
        // Given a damaged original, a damaged variant, and blocked writes
        let request = bench.request([.thumbnailPixelSize(3, 3)])
        let key = try await bench.manager.cacheKey(for: request)
        let damaged = CacheEntry(data: Data("CALORAW {}\n".utf8))
        for key in [key, key.original] { try data.kept.store(damaged, for: key) }
        _ = try await bench.manager.image(for: "fake://host/slow.raw")
        await gate.waitForArrivals(1)
        // When they are requested
        #expect(try await bench.manager.response(for: request).source == .loader)
        // Then their replacements are not removed with them
        gate.open()
        for key in [key, key.original] {
            await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
            let kept = try #require(try data.kept.entry(for: key))
            #expect(kept.data != damaged.data)
        }
    }

    @Test func `a slow decode delays no read or write`() async throws {
        // Given a single decoding thread, which is blocked
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(decodeGate: gate, concurrency: Concurrency(decodes: 1))
        let slow = bench.manager.load(bench.request())
        await gate.waitForArrivals(1)
        // Then other requests store, find and read
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        try await bench.manager.store(image, for: other, in: .disk)
        #expect(try await bench.manager.contains(other, in: .disk) == .disk)
        let readCount = bench.data.readCount
        let next = bench.manager.load(other)
        try await waitUntil("the other entry is read") { bench.data.readCount > readCount }
        gate.open()
        #expect(try await slow.response.source == .loader)
        #expect(try await next.response.source == .disk)
    }

    @Test func `a slow read delays no load, decode or write`() async throws {
        // Given a single reading thread, which is blocked
        let gate = BlockingGate()
        defer { gate.open() }
        let data = GatedDataCache(reads: gate)
        let bench = Bench(
            concurrency: Concurrency(reads: 1), context: [.imageCache(TieredCache(memory: nil, disk: data))])
        let slow = bench.manager.load(bench.request())
        await gate.waitForArrivals(1)
        // Then a request that bypasses the caches is served, and its store has ended with it
        let request = other.with([.fromLoaderOnly])
        #expect(try await bench.manager.response(for: request).source == .loader)
        #expect(data.kept.keys.map(\.source.text) == ["fake://host/other.raw"])
        gate.open()
        #expect(try await slow.response.source == .loader)
    }

    @Test func `a slow encoder delays nothing, not even the store of an original`() async throws {
        struct Slow: CacheSerializer {
            let gate: BlockingGate
            func data(for serialization: Serialization) throws -> Data? {
                if serialization.original == nil { gate.pass() }
                return nil
            }
        }
        // Given a single encoding thread, which is blocked
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(concurrency: Concurrency(transforms: 1), context: [.off(.waitStoreCache)])
        _ = try await bench.manager.image(
            for: bench.request([.thumbnailPixelSize(4, 4), .cacheSerializer(Slow(gate: gate))]))
        await gate.waitForArrivals(1)
        // Then other requests load and decode, and their bytes are stored unmodified
        _ = try await bench.manager.image(for: other.with([.thumbnailPixelSize(5, 5)]))
        let original = try await bench.manager.cacheKey(for: other)
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(original, in: bench.cache))
        #expect(bench.data.keys.contains(original))
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        let third = ImageRequest("fake://host/third.raw")
        try await bench.manager.store(image, data: file, for: third, in: .disk)
        bench.memory.clear()
        #expect(try await bench.manager.response(for: third).source == .disk)
    }

    @Test func `a request ends before its stores unless waitStoreCache is set`() async throws {
        for waits in [false, true] {
            let gate = BlockingGate()
            defer { gate.open() }
            let data = GatedDataCache(stores: gate)
            let bench = Bench(context: [
                .set(.waitStoreCache, to: waits), .imageCache(TieredCache(memory: nil, disk: data)),
            ])
            let task = bench.manager.load(bench.request([.thumbnailPixelSize(4, 4)]))
            await gate.waitForArrivals(2)
            if !waits { _ = try await task.response }
            #expect(task.isFinished == !waits)
            gate.open()
            let steps = try await task.response.metrics.steps
            #expect(steps.filter { $0.stage == .store }.count == (waits ? 2 : 0))
            if waits { #expect(data.kept.keys.count == 2) }
        }
    }

    /// A loader that reports versions only after waiting, when a gate opens.
    private struct StuckLoader: ImageLoader {
        let gate: BlockingGate

        func canLoad(_ request: LoadRequest) -> Bool { request.url.scheme == "stuck" }

        func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion {
            guard mayWait else { return .unknown }
            gate.pass()
            return .known("1")
        }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await sink.begin(LoadHead())
            try await sink.write(RawImageCoder.file(width: 8, height: 6))
            return .complete
        }
    }

    @Test(arguments: [false, true])
    func `an unresponsive device delays no options processor`(isProcessed: Bool) async throws {
        struct Silent: OptionsProcessor {
            let calls: Lock<Int>
            func process(_ context: ResolvedContext, for url: URL) throws -> ImageContext {
                calls.withLock { $0 += 1 }
                return []
            }
        }
        // Given more requests than threads, all of which wait for the versions of their files
        let gate = BlockingGate()
        defer { gate.open() }
        let (bench, calls) = (Bench(), Lock(0))
        bench.manager.registry.loaders.add(StuckLoader(gate: gate))
        let processing: ImageContext = [.optionsProcessor(Silent(calls: calls))]
        let lanes = bench.manager.pipeline.lanes
        let count = lanes.resolving.width + lanes.versions.width
        let stuck = (0..<count).map { index in
            bench.manager.load(ImageRequest("stuck://host/\(index).raw", context: isProcessed ? processing : []))
        }
        await gate.waitForArrivals(lanes.versions.width)
        // Then other requests, whose processor runs, are served
        #expect(try await bench.manager.response(for: other.with(processing)).source == .loader)
        gate.open()
        for task in stuck { #expect(try await task.response.source == .loader) }
        #expect(calls.withLock { $0 } == (isProcessed ? count + 1 : 1), "the processor is called once for each request")
    }
}
