import CalotypeTesting
import Testing

@testable import Calotype

/// Entries that are being stored, and are already found by requests.
@Suite(.timeLimit(.minutes(5)))
struct PendingStoresTests {
    private let gate = BlockingGate()
    private let bench: Bench
    private let data: GatedDataCache
    private let cache: TieredCache

    init() {
        data = GatedDataCache(stores: gate)
        cache = TieredCache(memory: nil, disk: data)
        bench = Bench(context: [.off(.waitStoreCache), .imageCache(cache)])
    }

    private func prospect(of request: ImageRequest) async throws -> PendingStores.Prospect? {
        let key = try await bench.manager.cacheKey(for: request)
        return await bench.manager.pipeline.pendingStores.prospect(
            of: StoreKey(key, in: cache), for: SilentWaiter(priority: .normal))
    }

    @Test func `a variant that is still being stored is returned as it will be from disk`() async throws {
        defer { gate.open() }
        var header = RawImageCoder.Header(width: 8, height: 4)
        header.orientation = 6
        bench.loader.answer(
            Bench.url.absoluteString,
            with: .bytes(RawImageCoder.file(header) { x, y, _ in SIMD4(UInt8(x), UInt8(y), 0, 255) }))
        let request = bench.request([.keepsOrientation, .thumbnailPixelSize(4, 4)])
        let first = try await bench.manager.image(for: request)
        await gate.waitForArrivals(1)
        let second = try await bench.manager.response(for: request)
        #expect(second.source == .disk)
        #expect(second.image.colors == first.colors)
        #expect(second.image.attributes == first.attributes)
        #expect(data.kept.keys.isEmpty)
        #expect(data.readKeys.count == 2, "the variant and the original were each read once, before their stores")
    }

    @Test func `an entry that is still being stored keeps its time to live, and so do its variants`() async throws {
        defer { gate.open() }
        let memory = BoundedMemoryCache(trimsUnderPressure: false, time: bench.time)
        let caching: ImageContext = [.imageCache(TieredCache(memory: memory, disk: data))]
        // Given an original that lives for a minute, and is not yet on disk
        _ = try await bench.manager.image(for: bench.request(caching.merging([.timeToLive(.seconds(60))])))
        await gate.waitForArrivals(1)
        // When a request without a lifetime makes a variant of it
        bench.time.advance(by: .seconds(50))
        let request = bench.request(caching.merging([.thumbnailPixelSize(5, 5)]))
        #expect(try await bench.manager.response(for: request).source == .disk)
        #expect(bench.manager.cachedResponse(for: request) != nil)
        // Then the variant and the original expire after this minute
        bench.time.advance(by: .seconds(11))
        #expect(bench.manager.cachedResponse(for: request) == nil)
        let late = bench.request(caching.merging([.thumbnailPixelSize(6, 6)]))
        #expect(try await bench.manager.response(for: late).source == .loader)
    }

    @Test func `a directly stored image is found while it is being stored`() async throws {
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        let store = Task { [bench] in try await bench.manager.store(image, for: bench.request(), in: .disk) }
        await gate.waitForArrivals(1)
        let response = try await bench.manager.response(for: bench.request())
        #expect(response.source == .disk)
        #expect(response.image.colors == image.colors)
        gate.open()
        try await store.value
        #expect(data.kept.keys.count == 1)
    }

    @Test func `a direct store that fails is an error, and does not hide the existing entry`() async throws {
        gate.open()
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        try await bench.manager.store(image, for: bench.request(), in: .disk)
        struct Writeless: ImageCoder { var formats: [ImageFormat] { [] } }
        let unwritable = bench.request([.imageCoder(Writeless())])
        let unwritten = await imageError { try await bench.manager.store(image, for: unwritable, in: .disk) }
        #expect(unwritten?.code == .unknownFormat)
        data.kept.failure = ImageError(.cacheFailed, stage: .store, message: "the disk is full")
        let refused = await imageError { try await bench.manager.store(image, for: bench.request(), in: .disk) }
        #expect(refused?.code == .cacheFailed)
        data.kept.failure = nil
        #expect(try await bench.manager.response(for: bench.request()).source == .disk)
    }

    @Test func `an entry being removed is not found, and one stored afterward stays`() async throws {
        let request = bench.request()
        _ = try await bench.manager.image(for: request)
        await gate.waitForArrivals(1)
        // Given a removal that waits for a store
        let removal = Task { [bench] in try await bench.manager.remove(bench.request()) }
        while true {
            if case .nothing? = try await prospect(of: request) { break }
            await Task.yield()
        }
        // When it is requested meanwhile
        let found = await imageError { try await bench.manager.image(for: bench.request([.fromCacheOnly])) }
        #expect(found?.code == .notCached)
        // Then it is loaded again, and the new one is stored
        #expect(try await bench.manager.response(for: request).source == .loader)
        gate.open()
        try await removal.value
        #expect(try await bench.manager.contains(request) == .disk)
        #expect(data.kept.stores.count == 2)
    }

    @Test func `stores under one key are done one after the other`() async throws {
        let stores = PendingStores()
        let key = StoreKey(VariantKey(source: SourceKey("a")), in: cache)
        let order = Lock<[Int]>([])
        let first = Gate()
        var tasks: [StoreTask] = []
        for number in 0..<4 {
            tasks.append(
                stores.begin(key, byteCount: 1, priority: .normal) { _ in
                    CacheEntry(data: Data([UInt8(number)]))
                } writing: { entry, _ in
                    if number == 0 { try await first.pass() }
                    order.withLock { $0.append(Int(entry.data[0])) }
                    return []
                })
        }
        await first.waitForArrivals(1)
        let waiter = SilentWaiter(priority: .normal)
        guard case .entry(let entry)? = await stores.prospect(of: key, for: waiter) else {
            Issue.record("expected an entry")
            return first.open()
        }
        #expect(entry.data == Data([3]), "the entry is that of the last store")
        first.open()
        for task in tasks { _ = try await task.value }
        #expect(order.withLock { $0 } == [0, 1, 2, 3])
        let isOver = await stores.prospect(of: key, for: waiter) == nil
        #expect(isOver)
    }

    @Test func `a store becomes as urgent as its most urgent waiter`() async throws {
        let stores = PendingStores()
        let key = StoreKey(VariantKey(source: SourceKey("a")), in: cache)
        let held = Gate()
        defer { held.open() }
        let waiters = Lock<[any Waiter]>([])
        func begin(_ priority: Priority) -> StoreTask {
            stores.begin(key, byteCount: 1, priority: priority) { waiter in
                waiters.withLock { $0.append(waiter) }
                try await held.pass()
                return CacheEntry(data: Data())
            } writing: { _, _ in
                []
            }
        }
        let low = begin(.low)
        await held.waitForArrivals(1)
        let work = try #require(waiters.withLock { $0.first })
        #expect(work.demand.priority == .low)
        // When a request looks up the entry that is being stored
        let found = Task { await stores.prospect(of: key, for: SilentWaiter(priority: .high)) != nil }
        try await waitUntil("the store has the priority of the request that looks up its entry") {
            work.demand.priority >= .high
        }
        // And when a more urgent entry is to be stored after it
        let next = begin(.veryHigh)
        try await waitUntil("the store has the priority of the store behind it") { work.demand.priority >= .veryHigh }
        held.open()
        #expect(await found.value)
        _ = try await low.value
        _ = try await next.value
    }

    @Test func `an entry whose store starts during a disk read is found`() async throws {
        let reads = BlockingGate()
        defer { gate.open() }
        let slow = TieredCache(memory: nil, disk: GatedDataCache(reads: reads, stores: gate))
        let request = bench.request([.imageCache(slow)])
        let task = bench.manager.load(request)
        await reads.waitForArrivals(1)
        let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
        let store = Task { [bench] in try await bench.manager.store(image, for: request, in: .disk) }
        await gate.waitForArrivals(1)
        reads.open()
        let response = try await task.response
        #expect(response.source == .disk)
        #expect(response.image.colors == image.colors)
        gate.open()
        try await store.value
    }

    @Test func `pixels are released once encoded, before the data is written`() async throws {
        defer { gate.open() }
        weak var storage: Image.Storage?
        do {
            let request = bench.request([.thumbnailPixelSize(8, 8), .originalStoreCacheType([])])
            storage = try await bench.manager.image(for: request).storage
        }
        await gate.waitForArrivals(1)
        try await waitUntil("the pixels are released") { storage == nil }
        #expect(data.kept.keys.isEmpty)
    }

    @Test func `an almost empty store counts as a few thousand bytes`() async throws {
        let stores = PendingStores()
        let held = Gate()
        func begin(_ source: String, byteCount: Int) -> StoreTask {
            let key = StoreKey(VariantKey(source: SourceKey(source)), in: cache)
            return stores.begin(key, byteCount: byteCount, priority: .normal) { _ in
                try await held.pass()
                return nil
            } writing: { _, _ in
                []
            }
        }
        let large = begin("large", byteCount: (64 << 20) - 1)
        #expect(!stores.isFull)
        let small = begin("small", byteCount: 1)
        #expect(stores.isFull)
        held.open()
        _ = try await large.value
        _ = try await small.value
        #expect(!stores.isFull)
    }

    @Test func `requests wait while more than 64 MiB are being stored`() async throws {
        let stores = bench.manager.pipeline.pendingStores
        let other = StoreKey(VariantKey(source: SourceKey("other")), in: cache)
        let held = Gate()
        let large = stores.begin(other, byteCount: (64 << 20) + 1, priority: .normal) { _ in
            CacheEntry(data: Data())
        } writing: { _, _ in
            try await held.pass()
            return []
        }
        #expect(stores.isFull)
        let task = bench.manager.load(bench.request())
        await gate.waitForArrivals(1)
        #expect(!task.isFinished)
        held.open()
        gate.open()
        #expect(try await task.response.metrics.steps.contains { $0.stage == .store })
        _ = try await large.value
        #expect(!stores.isFull)
    }
}
