import CalotypeTesting
import Testing

@testable import Calotype

/// The limits that keep concurrent requests from filling the memory.
@Suite(.timeLimit(.minutes(5)))
struct BacklogTests {
    /// A loader that declares its own queue.
    private struct QueueingLoader: ImageLoader {
        let loader: FakeImageLoader
        let queuesLoads = true

        func canLoad(_ request: LoadRequest) -> Bool { loader.canLoad(request) }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await loader.load(request, into: sink)
        }
    }

    /// A loader and a clock, which cancels a task when it is read after the end of a load, to measure the duration.
    private final class Deserter: ImageLoader, TimeSource {
        let task = Lock<ImageTask?>(nil)
        private let hasLoaded = Lock(false)
        private let loader: FakeImageLoader
        private let clock = ManualTime()

        init(_ loader: FakeImageLoader) { self.loader = loader }

        func canLoad(_ request: LoadRequest) -> Bool { loader.canLoad(request) }

        @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            let outcome = try await loader.load(request, into: sink)
            hasLoaded.withLock { $0 = true }
            return outcome
        }

        func now() -> Duration {
            if hasLoaded.withLock({ $0 }) { task.withLock { $0.take() }?.cancel() }
            return clock.now()
        }

        func wallTime() -> Double { clock.wallTime() }
        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) { clock.after(delay, body) }
    }

    private func waitForWaiting(_ count: Int, at gate: AsyncGate) async throws {
        try await waitUntil("\(count) waiters are queued at the gate") { gate.waitingCount >= count }
    }

    /// Fills a backlog, so that work waits until the reservations are released.
    private func all(of backlog: Backlog) -> [Backlog.Reservation] { [backlog.reserve(.max)] }

    // MARK: Reservations

    @Test func `a reservation over the limit counts as the limit`() {
        let backlog = Backlog(limit: 100)
        var shares = (0..<3).map { _ in backlog.reserve(.max, .max) }
        #expect(backlog.byteCount == 600)
        shares.removeAll()
        #expect(backlog.byteCount == 0)
    }

    @Test func `more urgent work may start despite less urgent work, by an eighth of the limit at most`() {
        let backlog = Backlog(limit: 800)
        func full() -> [Priority] { Priority.allCases.filter { backlog.isFull(for: $0) } }
        var shares = [backlog.reserve(799, for: .low)]
        #expect(full() == [])
        shares.append(backlog.reserve(1, for: .low))
        #expect(full() == [.veryLow, .low])
        shares.append(backlog.reserve(99, for: .high))
        #expect(full() == [.veryLow, .low])
        shares.append(backlog.reserve(1, for: .normal))
        #expect(full() == [.veryLow, .low, .normal])
        shares.append(backlog.reserve(1, for: .high))
        #expect(full() == [.veryLow, .low, .normal, .high])
        shares.append(backlog.reserve(100))
        #expect(full() == Priority.allCases)
        shares.removeAll()
        #expect(full() == [])
    }

    // MARK: At a gate

    @Test func `work starts at once if there is room, otherwise it waits for room`() async throws {
        let backlog = Backlog(limit: 100)
        let gate = AsyncGate(width: 3, into: backlog)
        var shares = [backlog.reserve(60), backlog.reserve(39)]
        try await gate.run(for: Demand(.normal)) {}
        shares.append(backlog.reserve(1))
        let waiting = (0..<3).map { _ in Task { try await gate.run(for: Demand(.normal)) {} } }
        try await waitForWaiting(3, at: gate)
        shares.removeLast()
        for task in waiting { try await task.value }
        #expect(backlog.byteCount == 99)
    }

    @Test func `freed room admits the most urgent work first, and others while room remains`() async throws {
        let backlog = Backlog(limit: 100)
        let gate = AsyncGate(width: 3, into: backlog)
        let half = backlog.reserve(50)
        let taken = Lock<Backlog.Reservation?>(backlog.reserve(50))
        let tasks = [Priority.low, .normal, .high].map { priority in
            Task {
                try await gate.run(for: Demand(priority)) {
                    let share = backlog.reserve(50)
                    taken.withLock { $0 = share }
                }
            }
        }
        try await waitForWaiting(3, at: gate)
        for (task, waitingCount) in zip(tasks.reversed(), [2, 1, 0]) {
            taken.withLock { $0 = nil }
            try await task.value
            #expect(gate.waitingCount == waitingCount)
        }
        withExtendedLifetime(half) {}
    }

    @Test func `when all room is freed at once, the gate admits as many as it has slots`() async throws {
        let backlog = Backlog(limit: 100)
        let gate = AsyncGate(width: 2, into: backlog)
        var shares = all(of: backlog)
        let held = Gate()
        let tasks = (0..<3).map { _ in
            Task { try await gate.run(for: Demand(.normal)) { try await held.pass() } }
        }
        try await waitForWaiting(3, at: gate)
        shares.removeAll()
        await held.waitForArrivals(2)
        #expect(gate.waitingCount == 1)
        held.open()
        for task in tasks { try await task.value }
    }

    @Test func `a waiter that becomes more urgent passes the less urgent`() async throws {
        let backlog = Backlog(limit: 100)
        let gate = AsyncGate(width: 1, into: backlog)
        let shares = [backlog.reserve(100, for: .low)]
        let demand = Demand(.low)
        let hasPassed = Lock(false)
        let task = Task { try await gate.run(for: demand) { hasPassed.withLock { $0 = true } } }
        defer { task.cancel() }
        try await waitForWaiting(1, at: gate)
        demand.priority = .normal
        try await waitUntil("the more urgent waiter has been admitted") { hasPassed.withLock { $0 } }
        try await task.value
        withExtendedLifetime(shares) {}
    }

    @Test func `a cancelled waiter waits no more`() async throws {
        let backlog = Backlog(limit: 1)
        let gate = AsyncGate(width: 1, into: backlog)
        let shares = all(of: backlog)
        let task = Task { try await gate.run(for: Demand(.normal)) {} }
        try await waitForWaiting(1, at: gate)
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(gate.waitingCount == 0)
        withExtendedLifetime(shares) {}
    }

    // MARK: In the pipeline

    @Test func `no more entries are read while many wait to be decoded`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(decodeGate: gate, concurrency: Concurrency(reads: 1, decodes: 1))
        let undecoded = bench.manager.pipeline.undecoded
        let file = RawImageCoder.file(width: 4, height: 3)
        let requests = (0..<40).map { ImageRequest("fake://host/\($0).raw") }
        for request in requests {
            let key = try await bench.manager.cacheKey(for: request)
            try bench.data.store(CacheEntry(data: file), for: key)
        }
        // Given room for one byte, and a blocked decoder
        var shares = [undecoded.reserve((64 << 20) - 1)]
        let tasks = requests.map { bench.manager.load($0) }
        // Then as many entries are read as may be read at once, and the others wait
        let reading = bench.manager.pipeline.lanes.readingGate
        try await waitUntil("all forty requests are reading or waiting") {
            bench.data.readCount + reading.waitingCount >= 40
        }
        #expect((1...2).contains(bench.data.readCount))
        shares.removeAll()
        gate.open()
        for task in tasks { #expect(try await task.response.source == .disk) }
        #expect(bench.data.readCount == 40)
    }

    @Test(arguments: [false, true])
    func `no load starts while many wait to be decoded, or none writes if the loader has a queue`(
        hasQueue: Bool
    ) async throws {
        let bench = Bench()
        let pipeline = bench.manager.pipeline
        let gate = hasQueue ? pipeline.lanes.arriving : pipeline.lanes.loading
        // Registered with the manager, since a request's own loader would retain the requests, and so itself.
        if hasQueue { bench.manager.registry.loaders.add(QueueingLoader(loader: bench.loader)) }
        var shares = all(of: pipeline.undecoded)
        let tasks = (0..<3).map {
            bench.manager.load(ImageRequest("fake://host/\($0).raw", context: [.fromLoaderOnly]))
        }
        try await waitForWaiting(3, at: gate)
        #expect(bench.loader.loadCount == (hasQueue ? 3 : 0))
        tasks[2].cancel()
        try await waitUntil("the cancelled waiter has left the queue") { gate.waitingCount <= 2 }
        #expect(bench.coder.decodeCount == 0)
        shares.removeAll()
        for task in tasks[..<2] { #expect(try await task.response.source == .loader) }
        let error = await imageError { try await tasks[2].response }
        #expect(error?.code == .cancelled)
    }

    @Test func `prefetched work does not delay visible work`() async throws {
        let bench = Bench(concurrency: Concurrency(loads: 1, reads: 1))
        let pipeline = bench.manager.pipeline
        let file = RawImageCoder.file(width: 4, height: 3)
        let requests = (0..<6).map { ImageRequest("fake://host/\($0).raw") }
        for request in requests {
            let key = try await bench.manager.cacheKey(for: request)
            try bench.data.store(CacheEntry(data: file), for: key)
        }
        // Given a backlog full of prefetched data, and further prefetches that wait for reads and loads
        var shares = [pipeline.undecoded.reserve(.max, for: .low)]
        let low = requests[..<5].map { bench.manager.load($0.with([.priority(.low)])) }
        try await waitForWaiting(5, at: pipeline.lanes.readingGate)
        let others = (6..<9).map {
            bench.manager.load(ImageRequest("fake://host/\($0).raw", context: [.priority(.low), .fromLoaderOnly]))
        }
        try await waitForWaiting(3, at: pipeline.lanes.loading)
        // Then other requests read and load
        #expect(try await bench.manager.response(for: requests[5]).source == .disk)
        #expect(try await bench.manager.response(for: bench.request()).source == .loader)
        #expect(pipeline.lanes.readingGate.waitingCount == 5)
        #expect(pipeline.lanes.loading.waitingCount == 3)
        shares.removeAll()
        for task in low { #expect(try await task.response.source == .disk) }
        for task in others { #expect(try await task.response.source == .loader) }
    }

    @Test func `data shared by several decodes counts once`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench(isOpen: false, decodeGate: gate, concurrency: Concurrency(decodes: 1))
        let pipeline = bench.manager.pipeline
        let file = RawImageCoder.file(width: 40, height: 30)
        // Given an original of which one size is being decoded, while others wait for the decoder
        let tasks = (3..<8).map { bench.manager.load(bench.request([.thumbnailPixelSize($0, $0)])) }
        try await waitUntil("all five sizes wait for the original") { pipeline.decodes.count >= 5 }
        bench.gate.open()
        await gate.waitForArrivals(1)
        try await waitForWaiting(4, at: pipeline.lanes.decodingGate)
        #expect(bench.loader.loadCount == 1)
        #expect(pipeline.undecoded.byteCount == file.count)
        // Then it counts until the last size is decoded
        gate.open()
        for task in tasks { _ = try await task.response }
        try await waitUntil("no bytes wait to be decoded") { pipeline.undecoded.byteCount == 0 }
    }

    @Test func `data loaded for a waiter that has left does not count, even if another needs it`() async throws {
        let bench = Bench(isOpen: false)
        let deserter = Deserter(bench.loader)
        let manager = ImageManager(
            context: [.imageCache(bench.cache), .waitStoreCache, .queryCacheType([])], time: deserter)
        manager.registry.loaders.add(deserter)
        manager.registry.coders.add(bench.coder)
        let pipeline = manager.pipeline
        let request = bench.request([.thumbnailPixelSize(4, 4)])
        let transfer = try await manager.resolved(of: request).transfer
        // Given a request that loads, and another one that waits for room to read the same original
        let loading = manager.load(request.with([.fromLoaderOnly]))
        await bench.gate.waitForArrivals(1)
        var shares = all(of: pipeline.undecoded)
        let full = pipeline.undecoded.byteCount
        let reading = manager.load(request)
        try await waitForWaiting(1, at: pipeline.lanes.readingGate)
        // When the first one is cancelled at the very end of its load
        deserter.task.withLock { $0 = loading }
        bench.gate.open()
        #expect(await imageError { try await loading.response }?.code == .cancelled)
        try await waitUntil("the original is kept for the other request") {
            pipeline.originalsInUse.original(by: transfer) != nil
        }
        // Then the original is kept for the other one, and counts only when that decodes it
        try await waitUntil("the original no longer counts") { pipeline.undecoded.byteCount <= full }
        shares.removeAll()
        #expect(try await reading.response.source == .loader)
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a revalidating request does not reserve room for its copy meanwhile`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(4, 4)])
        _ = try await bench.manager.image(for: request)
        bench.gate.close()
        let task = bench.manager.load(request.with([.refreshCached]))
        await bench.gate.waitForArrivals(2)
        // Otherwise loads could wait for room that they take themselves.
        try await waitUntil("the copy reserves no room") { bench.manager.pipeline.undecoded.byteCount == 0 }
        bench.gate.open()
        _ = try await task.response
    }

    @Test func `no picture is decoded while many are unfinished, and memory still answers`() async throws {
        let bench = Bench(concurrency: Concurrency(decodes: 2))
        let known = ImageRequest("fake://host/known.raw")
        _ = try await bench.manager.image(for: known)
        let unfinished = bench.manager.pipeline.unfinished
        var shares = all(of: unfinished)
        let tasks = (0..<10).map { bench.manager.load(ImageRequest("fake://host/\($0).raw")) }
        try await waitForWaiting(10, at: bench.manager.pipeline.lanes.decodingGate)
        #expect(bench.loader.loadCount == 11)
        #expect(bench.coder.decodeCount == 1)
        #expect(try await bench.manager.response(for: known).source == .memory)
        shares.removeAll()
        for task in tasks { #expect(try await task.response.source == .loader) }
    }

    @Test func `the result of the last transformer counts until it is stored`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let cache = TieredCache(memory: nil, disk: GatedDataCache(stores: gate))
        let bench = Bench(context: [.imageCache(cache), .originalStoreCacheType([])])
        let large = Image(pixels: try PixelBuffer.noise(PixelSize(64, 64), seed: 1))
        // Given two transformers, each of which enlarges a thumbnail, and a blocked disk
        let steps = ["one", "two"].map { FakeTransformer(key: $0) { _ in large } }
        let task = bench.manager.load(bench.request([.thumbnailPixelSize(5, 5), .transformers(steps)]))
        await gate.waitForArrivals(1)
        let unfinished = bench.manager.pipeline.unfinished
        let byteCount = large.pixels.byteCount
        // The result of the first transformer may be released a little later.
        try await waitUntil("the result of the first transformer is released") { unfinished.byteCount < 2 * byteCount }
        #expect(unfinished.byteCount > byteCount)
        gate.open()
        _ = try await task.response
        try await waitUntil("no bytes wait to be stored") { unfinished.byteCount == 0 }
    }

    @Test func `requests release their reservations, whatever their outcome`() async throws {
        struct Refusal: Error {}
        let bench = Bench(isOpen: false)
        bench.loader.answer("fake://host/1.raw", with: .bytes(Data("CALORAW {}\n".utf8)))
        let refusing = FakeTransformer(key: "no") { _ in throw Refusal() }
        let contexts: [ImageContext] = [
            [], [.thumbnailPixelSize(5, 5)], [.transformer(FakeTransformer())], [.transformer(refusing)],
            [.fromCacheOnly], [.originalStoreCacheType([])],
        ]
        var tasks: [ImageTask] = []
        for number in 0..<3 {
            for context in contexts {
                tasks.append(bench.manager.load(ImageRequest("fake://host/\(number).raw", context: context)))
            }
        }
        for task in tasks.suffix(3) { task.cancel() }
        bench.gate.open()
        for task in tasks { _ = await imageError { try await task.response } }
        for context in contexts {
            let request = ImageRequest("fake://host/0.raw", context: context)
            _ = await imageError { try await bench.manager.image(for: request) }
        }
        // The ended work may release its memory a little later.
        let pipeline = bench.manager.pipeline
        try await waitUntil("all reservations are released") {
            pipeline.undecoded.byteCount == 0 && pipeline.unfinished.byteCount == 0
        }
        let lanes = pipeline.lanes
        for gate in [lanes.loading, lanes.arriving, lanes.readingGate, lanes.decodingGate] {
            #expect(gate.waitingCount == 0)
        }
    }
}
