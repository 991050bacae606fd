import CalotypeTesting
import Testing

@testable import Calotype

/// The conditions for immediate cache lookups, and the use of their results.
@Suite(.timeLimit(.minutes(5)))
struct ImmediateReadTests {
    private let coder = ThreadNotingCoder(RawImageCoder(isPureComputation: true))

    /// Returns a bench whose loader serves the file.
    private func makeBench(
        concurrency: Concurrency = Concurrency(), context: ImageContext = []
    ) throws -> HereBench {
        let bench = HereBench(coder, concurrency: concurrency, context: context)
        try bench.serve()
        return bench
    }

    private func respond(_ bench: HereBench, _ context: ImageContext = []) async throws -> ImageResponse {
        let request = ImageRequest("fake://host/picture", context: context)
        return try await Caller.pool.call { try await bench.manager.response(for: request) }
    }

    /// Returns the key under which the file is stored.
    private func place(in bench: HereBench) async throws -> StoreKey {
        let resolved = try await bench.manager.resolved(of: HereBench.request)
        return StoreKey(resolved.variant, in: try #require(resolved.cache))
    }

    /// Begins to store the file. The store continues until the gate is open.
    @discardableResult
    private static func beginStoring(at place: StoreKey, in stores: PendingStores, until held: Gate) -> StoreTask {
        stores.begin(place, byteCount: HereBench.file.count, priority: .normal) { _ in
            CacheEntry(data: HereBench.file)
        } writing: { _, _ in
            try await held.pass()
            return []
        }
    }

    private func waitForWaiting(_ count: Int, at gate: AsyncGate) async throws {
        try await waitUntil("\(count) waiters are queued at the gate") { gate.waitingCount >= count }
    }

    private static func cancelThisTask() { withUnsafeCurrentTask { $0?.cancel() } }

    // MARK: Pending stores and removals

    @Test func `an entry that is being stored is found, and later the cache is asked again`() async throws {
        let bench = try makeBench()
        let held = Gate()
        defer { held.open() }
        let stores = bench.manager.pipeline.pendingStores
        let store = Self.beginStoring(at: try await place(in: bench), in: stores, until: held)
        let response = try await respond(bench)
        #expect(response.source == .disk)
        #expect(response.metrics.steps.map(\.stage) == [.query, .decode])
        #expect(bench.data.immediateReads.isEmpty)
        #expect(bench.data.reads.isEmpty)
        #expect(bench.loader.loadCount == 0)
        held.open()
        _ = try await store.value
        // It has not reached the cache.
        #expect(try await respond(bench).source == .loader)
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.isEmpty)
    }

    @Test func `variants of an entry that is being stored are still looked up in the cache`() async throws {
        let bench = try makeBench()
        let held = Gate()
        defer { held.open() }
        Self.beginStoring(at: try await place(in: bench), in: bench.manager.pipeline.pendingStores, until: held)
        let context: ImageContext = [.thumbnailPixelSize(4, 3)]
        let variant = try await bench.manager.cacheKey(for: ImageRequest("fake://host/picture", context: context))
        let response = try await respond(bench, context)
        #expect(response.source == .disk)
        #expect(bench.data.immediateReads.map(\.key) == [variant])
        #expect(bench.data.reads.isEmpty)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `an entry that is being removed is not looked up, and its replacement stays`() async throws {
        let bench = try makeBench(context: [.off(.waitStoreCache)])
        try await bench.keep()
        let stores = bench.manager.pipeline.pendingStores
        let place = try await place(in: bench)
        let held = Gate()
        defer { held.open() }
        let data = bench.data
        stores.beginRemoval(place) { _ in
            try await held.pass()
            try data.remove(place.variant)
        }
        #expect(try await respond(bench).source == .loader)
        #expect(bench.data.immediateReads.isEmpty)
        #expect(bench.data.reads.isEmpty)
        held.open()
        await stores.wait(for: place)
        #expect(try await respond(bench).source == .disk)
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.loader.loadCount == 1)
    }

    /// An empty data cache that can run a closure during its next lookup.
    private final class EmptyDataCache: DataCache {
        /// The closure for the next lookup.
        let event = Lock<(@Sendable () -> Void)?>(nil)
        private let counts = Lock((immediateReads: 0, reads: 0))

        /// The number of immediate lookups.
        var immediateCount: Int { counts.withLock { $0.immediateReads } }
        /// The number of reads.
        var readCount: Int { counts.withLock { $0.reads } }

        func immediateEntry(for key: VariantKey) throws -> ImmediateEntry {
            counts.withLock { $0.immediateReads += 1 }
            let event = event.withLock { $0.take() }
            event?()
            return .absent
        }

        func entry(for key: VariantKey) throws -> CacheEntry? {
            counts.withLock { $0.reads += 1 }
            return nil
        }

        func contains(_ key: VariantKey) throws -> Bool { false }
        func store(_ entry: CacheEntry, for key: VariantKey) throws {}
        func remove(_ key: VariantKey) throws {}
        func removeAll(of source: SourceKey) throws {}
        func clear() throws {}
    }

    @Test func `an entry whose store starts during the lookup is found, even if the cache misses`()
        async throws
    {
        let data = EmptyDataCache()
        let bench = try makeBench(context: [.imageCache(TieredCache(memory: nil, disk: data))])
        let place = try await place(in: bench)
        let stores = bench.manager.pipeline.pendingStores
        let held = Gate()
        defer { held.open() }
        data.event.withLock { event in
            event = { _ = Self.beginStoring(at: place, in: stores, until: held) }
        }
        let response = try await respond(bench)
        #expect(response.source == .disk)
        #expect(data.immediateCount == 1)
        #expect(data.readCount == 0)
        #expect(bench.loader.loadCount == 0)
    }

    // MARK: Scheduling

    /// Expects one immediate lookup, and nothing else.
    private func expectAskedOnce(_ bench: HereBench, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(bench.data.immediateReads.count == 1, sourceLocation: sourceLocation)
        #expect(bench.data.reads.isEmpty, sourceLocation: sourceLocation)
        #expect(bench.loader.loadCount == 0, sourceLocation: sourceLocation)
    }

    @Test func `no lookup runs while many entries wait to be decoded`() async throws {
        let bench = try makeBench()
        try await bench.keep()
        let pipeline = bench.manager.pipeline
        var shares = [pipeline.undecoded.reserve(.max)]
        let task = bench.manager.load(HereBench.request)
        try await waitForWaiting(1, at: pipeline.lanes.readingGate)
        #expect(bench.data.immediateReads.isEmpty)
        #expect(bench.data.reads.isEmpty)
        shares.removeAll()
        #expect(try await task.response.source == .disk)
        expectAskedOnce(bench)
    }

    @Test func `waiting work of lower priority delays no lookup`() async throws {
        let bench = try makeBench()
        try await bench.keep()
        let shares = [bench.manager.pipeline.undecoded.reserve(.max, for: .low)]
        #expect(try await respond(bench).source == .disk)
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.isEmpty)
        withExtendedLifetime(shares) {}
    }

    @Test func `no lookup runs while the maximum number of reads is running`() async throws {
        let bench = try makeBench(concurrency: Concurrency(reads: 1))
        try await bench.keep()
        let gate = bench.manager.pipeline.lanes.readingGate
        let held = Gate()
        defer { held.open() }
        let holders = (0..<2).map { _ in
            Task { try await gate.run(for: Demand(.normal)) { try await held.pass() } }
        }
        await held.waitForArrivals(2)
        let task = bench.manager.load(HereBench.request)
        try await waitForWaiting(1, at: gate)
        #expect(bench.data.immediateReads.isEmpty)
        #expect(bench.data.reads.isEmpty)
        held.open()
        #expect(try await task.response.source == .disk)
        expectAskedOnce(bench)
        for holder in holders { try await holder.value }
    }

    @Test(arguments: [ImmediateDataCache.Conduct.knows, .unknown], [true, false])
    func `a request that has waited its turn does one lookup on the pool, before a lane reads`(
        conduct: ImmediateDataCache.Conduct, isKept: Bool
    ) async throws {
        let bench = HereBench(coder, data: ImmediateDataCache(conduct), concurrency: Concurrency(reads: 1))
        try bench.serve()
        if isKept { try await bench.keep() }
        let gate = bench.manager.pipeline.lanes.readingGate
        let held = Gate()
        defer { held.open() }
        let holders = (0..<2).map { _ in
            Task { try await gate.run(for: Demand(.normal)) { try await held.pass() } }
        }
        await held.waitForArrivals(2)
        let task = bench.manager.load(HereBench.request)
        try await waitForWaiting(1, at: gate)
        #expect(bench.data.immediateReads.isEmpty)
        held.open()
        #expect(try await task.response.source == (isKept ? .disk : .loader))
        let key = try await bench.manager.cacheKey(for: HereBench.request)
        #expect(bench.data.immediateReads.map(\.key) == [key])
        #expect(bench.data.immediateReads.allSatisfy { !$0.thread.name.hasPrefix("ct-") })
        #expect(bench.data.reads.map(\.key) == (conduct == .unknown ? [key] : []))
        #expect(bench.data.reads.allSatisfy { $0.thread.name == "ct-read" })
        #expect(bench.loader.loadCount == (isKept ? 0 : 1))
        for holder in holders { try await holder.value }
    }

    @Test func `a more urgent request is looked up before waiting ones`() async throws {
        let bench = try makeBench()
        try await bench.keep()
        let pipeline = bench.manager.pipeline
        let gate = pipeline.lanes.readingGate
        // Given a backlog that is full for normal priority, and a waiter with that priority
        var shares = [pipeline.undecoded.reserve(.max, for: .normal)]
        let waiting = Task { try await gate.run(for: Demand(.normal)) {} }
        try await waitForWaiting(1, at: gate)
        // Then a request of higher priority is looked up immediately
        #expect(try await respond(bench, [.priority(.high)]).source == .disk)
        expectAskedOnce(bench)
        #expect(gate.waitingCount == 1)
        shares.removeAll()
        try await waiting.value
    }

    @Test func `a cancelled request does no lookup`() async throws {
        let bench = try makeBench()
        try await bench.keep()
        let pipeline = bench.manager.pipeline
        let resolved = try await bench.manager.resolved(of: HereBench.request)
        let cache = try #require(resolved.cache)
        @Sendable func finds(isCancelled: Bool = false) async -> Bool {
            await Task {
                if isCancelled { Self.cancelThisTask() }
                let work = RequestWork(resolved, for: SilentWaiter(priority: .normal), after: pipeline.changes)
                let answer = pipeline.immediateRead(resolved.variant, from: cache, work)
                guard case .found(let read) = answer else { return false }
                return read.entry.data == HereBench.file
            }.value
        }
        #expect(await !finds(isCancelled: true))
        #expect(bench.data.immediateReads.isEmpty)
        #expect(await finds())
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.isEmpty)
        #expect(pipeline.undecoded.byteCount == 0)
    }

    // MARK: Entries

    @Test(arguments: [[], [.thumbnailPixelSize(4, 3)]] as [ImageContext])
    func `a stale entry is revalidated with its known metadata, and read once`(context: ImageContext) async throws {
        let bench = HereBench(coder, context: [.httpCaching(.respect)])
        // Given an original that was fresh for a minute, more than a minute ago
        let then = bench.manager.pipeline.time.wallTime() - 100
        let validators = Validators(entityTag: "\"1\"")
        let record = HTTPCacheRecord(status: 200, requestedAt: then, receivedAt: then) {
            $0.lowercased() == "cache-control" ? "max-age=60" : nil
        }
        let original = try await bench.manager.cacheKey(for: HereBench.request)
        try bench.data.kept.store(
            CacheEntry(
                data: HereBench.file, attributes: LoadHead(validators: validators, caching: record).attributes),
            for: original)
        // The source revalidates it.
        let url = try #require(HereBench.request.url).absoluteString
        bench.loader.answer(url, with: .version(HereBench.file, LoadHead(validators: validators)))
        bench.loader.gate.close()
        let request = ImageRequest("fake://host/picture", context: context)
        let task = bench.manager.load(request)
        await bench.loader.gate.waitForArrivals(1)
        // It takes no memory meanwhile.
        try await waitUntil("the request reserves no room") { bench.manager.pipeline.undecoded.byteCount == 0 }
        bench.loader.gate.open()
        #expect(try await task.response.source == .revalidated)
        #expect(bench.loader.requests.map(\.validators) == [validators])
        let variant = try await bench.manager.cacheKey(for: request)
        #expect(bench.data.immediateReads.map(\.key) == (context.isEmpty ? [original] : [variant, original]))
        #expect(bench.data.reads.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an original of unknown format is loaded, which is reported once`(hasBlocking: Bool) async throws {
        let foreign = ThreadNotingCoder(
            ScriptedCoder(conduct: .whole, pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1)),
            isPureComputation: !hasBlocking)
        let bench = HereBench(foreign, coder)
        try bench.serve()
        try await bench.keep(Data("no picture that anybody knows".utf8))
        #expect(try await respond(bench).source == .loader)
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.isEmpty)
        #expect(bench.loader.loadCount == 1)
        await bench.manager.waitForEvents()
        #expect(bench.listener.issues.map(\.code) == [.unknownFormat])
        #expect(bench.manager.statistics.issues == [.unknownFormat: 1])
        let key = try await bench.manager.cacheKey(for: HereBench.request)
        #expect(try bench.data.kept.entry(for: key)?.data == HereBench.file)
    }

    @Test func `ten sizes of one original each read it at once, and decode it once`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let coder = RawImageCoder(gate: gate)
        let bench = HereBench(coder, concurrency: Concurrency(reads: 16, decodes: 10))
        let file = RawImageCoder.file(width: 40, height: 30)
        try await bench.keep(file)
        let sizes = Array(4..<14)
        let requests = sizes.map {
            ImageRequest("fake://host/picture", context: [.thumbnailPixelSize($0, $0)])
        }
        func immediateCounts() -> [Bool: Int] {
            Dictionary(grouping: bench.data.immediateReads, by: \.key.isOriginal).mapValues(\.count)
        }
        // Given all of them at once
        let tasks = requests.map { bench.manager.load($0) }
        await gate.waitForArrivals(10)
        #expect(immediateCounts() == [false: 10, true: 10])
        #expect(
            bench.manager.pipeline.undecoded.byteCount == 10 * file.count, "each request has its own copy of the bytes")
        // When there are further equal requests
        let others = requests.map { bench.manager.load($0) }
        try await waitUntil("ten requests have joined the decode") { bench.manager.statistics[.decode].joins >= 10 }
        gate.open()
        // Then they share the decodes, and read no original
        for (task, size) in zip(tasks + others, sizes + sizes) {
            let response = try await task.response
            #expect(response.source == .disk)
            #expect(response.image.width == size)
        }
        #expect(coder.decodeCount == 10)
        #expect(immediateCounts() == [false: 20, true: 10])
        #expect(bench.data.reads.isEmpty)
        #expect(bench.loader.loadCount == 0)
    }

    @Test func `no request looks up an original that is being loaded`() async throws {
        let bench = HereBench(RawImageCoder(), concurrency: Concurrency(reads: 16))
        try bench.serve(RawImageCoder.file(width: 40, height: 30))
        bench.loader.gate.close()
        defer { bench.loader.gate.open() }
        let requests = (4..<14).map { ImageRequest("fake://host/picture", context: [.thumbnailPixelSize($0, $0)]) }
        func originalImmediateCount() -> Int { bench.data.immediateReads.filter(\.key.isOriginal).count }
        // Given a request for one size, for which the original is being loaded
        let first = bench.manager.load(requests[0])
        await bench.loader.gate.waitForArrivals(1)
        #expect(originalImmediateCount() == 1)
        // When nine other sizes are requested
        let others = requests.dropFirst().map { bench.manager.load($0) }
        try await bench.manager.waitForWaiters(10, for: .original, of: requests[0])
        #expect(originalImmediateCount() == 1)
        bench.loader.gate.open()
        for task in [first] + others { #expect(try await task.response.source == .loader) }
        #expect(originalImmediateCount() == 1)
        #expect(bench.data.immediateReads.count == 11)
        #expect(bench.data.reads.isEmpty)
        #expect(bench.loader.loadCount == 1)
    }
}
