import CalotypeTesting
import Testing

@testable import Calotype

/// The pipeline's use of immediate cache lookups.
@Suite(.timeLimit(.minutes(5)))
struct ImmediateEntryTests {
    private let coder = ThreadNotingCoder(RawImageCoder(isPureComputation: true))

    /// Returns a bench whose loader serves the file.
    private func makeBench(_ data: ImmediateDataCache) throws -> HereBench {
        let bench = HereBench(coder, data: data)
        try bench.serve()
        return bench
    }

    private func respond(_ bench: HereBench, _ context: ImageContext = []) async throws -> ImageResponse {
        let request = ImageRequest("fake://host/picture", context: context)
        return try await Caller.pool.call { try await bench.manager.response(for: request) }
    }

    // MARK: Results

    @Test func `an immediately available entry is not read`() async throws {
        let bench = try makeBench(ImmediateDataCache(.knows))
        try await bench.keep()
        let response = try await respond(bench)
        #expect(response.source == .disk)
        #expect(response.metrics.steps.map(\.stage) == [.query, .decode])
        #expect(response.metrics.steps.first?.byteCount == HereBench.file.count)
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.isEmpty)
        #expect(bench.loader.loadCount == 0)
        #expect(await bench.lines(.query) == ["query began", "query succeeded"])
        let statistics = bench.manager.statistics[.query]
        #expect(statistics.latency.count == 1)
        #expect(statistics.misses == 0)
        #expect(statistics.byteCount == HereBench.file.count)
        #expect(statistics.running == 0)
    }

    @Test func `an entry reported absent is loaded without a read`() async throws {
        let bench = try makeBench(ImmediateDataCache(.knows))
        let response = try await respond(bench)
        #expect(response.source == .loader)
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.isEmpty)
        #expect(bench.loader.loadCount == 1)
        #expect(await bench.lines(.query) == ["query began", "query missed"])
        let statistics = bench.manager.statistics[.query]
        #expect(statistics.latency.count == 1)
        #expect(statistics.misses == 1)
        #expect(statistics.byteCount == 0)
        #expect(statistics.running == 0)
    }

    @Test func `variant and original are each looked up immediately`() async throws {
        let bench = try makeBench(ImmediateDataCache(.knows))
        try await bench.keep()
        let context: ImageContext = [.thumbnailPixelSize(4, 3)]
        let variant = try await bench.manager.cacheKey(for: ImageRequest("fake://host/picture", context: context))
        let response = try await respond(bench, context)
        #expect(response.source == .disk)
        #expect(bench.data.immediateReads.map(\.key) == [variant, variant.original])
        #expect(bench.data.reads.isEmpty)
        #expect(await bench.lines(.query) == ["query began", "query missed", "query began", "query succeeded"])
    }

    @Test(arguments: [false, true])
    func `an unknown entry is read on the lane, in the same step`(isKept: Bool) async throws {
        let bench = try makeBench(ImmediateDataCache(.unknown))
        if isKept { try await bench.keep() }
        let response = try await respond(bench)
        #expect(response.source == (isKept ? .disk : .loader))
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.map(\.thread.name) == ["ct-read"])
        #expect(bench.data.reads.map(\.key) == bench.data.immediateReads.map(\.key))
        #expect(await bench.lines(.query) == ["query began", isKept ? "query succeeded" : "query missed"])
        let statistics = bench.manager.statistics[.query]
        #expect(statistics.latency.count == 1)
        #expect(statistics.misses == (isKept ? 0 : 1))
        #expect(statistics.running == 0)
    }

    @Test func `a cache that throws counts as a miss, and is not asked again`() async throws {
        let bench = try makeBench(ImmediateDataCache(.fails))
        try await bench.keep()
        let response = try await respond(bench)
        #expect(response.source == .loader)
        #expect(bench.data.immediateReads.count == 1)
        #expect(bench.data.reads.isEmpty)
        #expect(await bench.lines(.query) == ["query began", "query failed", "query issue"])
        #expect(bench.listener.issues.map(\.code) == [.cacheFailed])
        #expect(bench.listener.issues.first?.cause is ImmediateDataCache.Failure)
        let statistics = bench.manager.statistics
        #expect(statistics.issues == [.cacheFailed: 1])
        #expect(statistics[.query].failures == 1)
        #expect(statistics[.query].latency.count == 0)
        #expect(statistics[.query].running == 0)
    }

    @Test func `a damaged immediate entry is removed and loaded`() async throws {
        let bench = try makeBench(ImmediateDataCache(.knows))
        try await bench.keep(HereBench.file.dropLast())
        #expect(try await respond(bench).source == .loader)
        let resolved = try await bench.manager.resolved(of: HereBench.request)
        let key = resolved.variant
        let cache = try #require(resolved.cache)
        await bench.manager.pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
        #expect(try bench.data.kept.entry(for: key)?.data == HereBench.file)
    }

    // MARK: Callers

    @Test func `the immediate lookup runs on the caller's thread`() async throws {
        let bench = try makeBench(ImmediateDataCache(.knows))
        try await bench.keep()
        let own = try await Caller.pool.call {
            let own = ThreadNote.current
            _ = try await bench.manager.response(for: HereBench.request)
            return own
        }
        #expect(bench.data.immediateReads.map(\.thread) == [own])
    }

    @Test(arguments: Caller.named, [ImmediateDataCache.Conduct.knows, .unknown])
    func `the immediate lookup never runs on the thread of an actor or executor`(
        caller: Caller, conduct: ImmediateDataCache.Conduct
    ) async throws {
        let bench = try makeBench(ImmediateDataCache(conduct))
        try await bench.keep()
        let own = try await caller.call {
            let response = try await bench.manager.response(for: HereBench.request)
            #expect(response.source == .disk)
            return ThreadNote.current
        }
        #expect(own.name == caller.threadName)
        let calls = bench.data.immediateReads + bench.data.reads
        #expect(!calls.isEmpty)
        #expect(calls.allSatisfy { $0.thread.name != caller.threadName })
    }

    @Test(arguments: Caller.named)
    func `reading an entry directly does no immediate lookup on an actor or executor`(caller: Caller) async throws {
        let bench = try makeBench(ImmediateDataCache(.knows))
        try await bench.keep()
        let pipeline = bench.manager.pipeline
        let resolved = try await bench.manager.resolved(of: HereBench.request)
        let cache = try #require(resolved.cache)
        let data = try await caller.call {
            let work = RequestWork(resolved, for: SilentWaiter(priority: .normal), after: pipeline.changes)
            return try await pipeline.read(resolved.variant, from: cache, work)?.entry.data
        }
        #expect(data == HereBench.file)
        #expect(bench.data.immediateReads.allSatisfy { $0.thread.name != caller.threadName })
    }

    @MainActor
    @Test func `the immediate lookup does not block the main actor`() async throws {
        let window = CallWindow()
        let bench = try makeBench(ImmediateDataCache(.unknown, window: window))
        try await bench.keep()
        await window.beginOnMainActor { _ = try? await bench.manager.response(for: HereBench.request) }.value
        #expect(bench.data.reads.count == 1)
        #expect(!(bench.data.immediateReads + bench.data.reads).contains { $0.isInWindow })
    }
}
