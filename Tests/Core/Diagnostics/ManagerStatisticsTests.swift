import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ManagerStatisticsTests {
    /// Returns the statistics when no request is in progress. The last end is counted concurrently with its delivery.
    private func settled(_ bench: Bench) async throws -> ManagerStatistics {
        var found = bench.manager.statistics
        try await waitUntil("no request and no step is running") {
            found = bench.manager.statistics
            return found.inFlight == 0 && found.stages.values.allSatisfy { $0.running == 0 }
        }
        return found
    }

    @Test func `a new manager has empty statistics`() {
        let statistics = Bench().manager.statistics
        #expect(statistics.begun == 0)
        #expect(statistics.stages.values.allSatisfy { $0 == StageStatistics() })
        #expect(Set(statistics.stages.keys) == [.resolve, .query, .load, .decode, .transform, .encode, .store])
    }

    @Test func `requests are counted by the source of their image`() async throws {
        let bench = Bench()
        #expect(bench.manager.cachedResponse(for: bench.request()) == nil)
        _ = try await bench.manager.image(for: bench.request())
        for _ in 0..<3 { _ = bench.manager.cachedResponse(for: bench.request()) }
        _ = try await bench.manager.image(for: bench.request())
        _ = try await bench.manager.load(bench.request()).response
        bench.memory.clear()
        _ = try await bench.manager.image(for: bench.request())
        let statistics = try await settled(bench)
        #expect(statistics.loads == 1)
        #expect(statistics.memoryHits == 5)
        #expect(statistics.diskHits == 1)
        #expect(statistics.revalidations == 0)
        #expect(statistics.finished == 7)
        #expect(statistics.begun == 7)
    }

    @Test func `a revalidated image is counted as a revalidation`() async throws {
        let bench = Bench()
        let head = LoadHead(validators: Validators(entityTag: "\"1\""))
        let file = RawImageCoder.file(width: 40, height: 30)
        bench.loader.answer(Bench.url.absoluteString, with: .version(file, head))
        _ = try await bench.manager.image(for: bench.request())
        #expect(try await bench.manager.response(for: bench.request([.refreshCached])).source == .revalidated)
        let statistics = try await settled(bench)
        #expect(statistics.loads == 1)
        #expect(statistics.revalidations == 1)
        #expect(statistics[.load].latency.count == 2)
        #expect(statistics[.load].byteCount == file.count)
    }

    @Test func `failed requests are counted by code, and cancellations separately`() async throws {
        let bench = Bench()
        bench.loader.answer("fake://host/gone", with: .failure(ImageError(.notFound, stage: .load, message: "gone")))
        for source in ["", "fake://host/gone", "other://host/a"] {
            _ = await imageError { try await bench.manager.image(for: source) }
        }
        _ = await imageError { try await bench.manager.image(for: bench.request([.fromCacheOnly])) }
        bench.gate.close()
        let arrivals = bench.gate.arrivals
        let task = bench.manager.load(bench.request())
        await bench.gate.waitForArrivals(arrivals + 1)
        task.cancel()
        let statistics = try await settled(bench)
        #expect(statistics.failures == [.invalidURL: 1, .notFound: 1, .noLoader: 1, .notCached: 1])
        #expect(statistics.cancellations == 1)
        #expect(statistics[.load].cancellations == 1)
        #expect(statistics[.load].failures == 1)
    }

    @Test func `each stage counts its steps and its bytes`() async throws {
        let bench = Bench(isOpen: false)
        let task = bench.manager.load(bench.request([.transformer(FakeTransformer())]))
        await bench.gate.waitForArrivals(1)
        bench.time.advance(by: .milliseconds(20))
        bench.gate.open()
        let image = try await task.response.image
        let statistics = try await settled(bench)
        let file = RawImageCoder.file(width: 40, height: 30)
        #expect(statistics[.load].byteCount == file.count)
        #expect(statistics[.load].latency.total == .milliseconds(20))
        #expect(statistics[.decode].byteCount == PixelLayout(size: PixelSize(40, 30), format: .rgba8).byteCount)
        #expect(statistics[.transform].byteCount == image.byteCount)
        #expect(statistics[.query].misses == 2, "one for the variant and one for the original")
        #expect(statistics[.query].byteCount == 0)
        #expect(statistics[.store].latency.count == 2)
        #expect(statistics[.encode].latency.count == 1)
        #expect(statistics[.store].byteCount == file.count + statistics[.encode].byteCount)
        #expect(statistics[.resolve] == StageStatistics())
    }

    @Test func `running work is counted`() async throws {
        let bench = Bench(isOpen: false)
        let tasks = (0..<3).map { bench.manager.load("fake://host/\($0).raw") }
        await bench.gate.waitForArrivals(3)
        let during = bench.manager.statistics
        #expect(during.inFlight == 3)
        #expect(during.begun == 3)
        #expect(during[.load].running == 3)
        #expect(during[.load].latency.count == 0)
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        let after = try await settled(bench)
        #expect(after.inFlight == 0)
        #expect(after.loads == 3)
        #expect(after[.load].latency.count == 3)
    }

    @Test func `concurrent equal requests join the first decode`() async throws {
        let bench = Bench(isOpen: false, context: [.fromLoaderOnly])
        let tasks = (0..<10).map { _ in bench.manager.load(bench.request()) }
        try await waitUntil("nine requests have joined the decode") { bench.manager.statistics[.decode].joins == 9 }
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        let statistics = try await settled(bench)
        #expect(statistics.loads == 10)
        #expect(statistics[.decode].joins == 9)
        #expect(statistics[.load].joins == 0)
        #expect(statistics[.load].latency.count == 1)
        #expect(statistics[.decode].latency.count == 1)
    }

    @Test func `concurrent requests for sizes of one source join the first load`() async throws {
        let bench = Bench(isOpen: false, context: [.fromLoaderOnly])
        let tasks = (1...10).map { side in bench.manager.load(bench.request([.thumbnailPixelSize(side, side)])) }
        try await waitUntil("nine requests have joined the load") { bench.manager.statistics[.load].joins == 9 }
        bench.gate.open()
        for task in tasks { _ = try await task.response }
        let statistics = try await settled(bench)
        #expect(statistics[.load].latency.count == 1)
        #expect(statistics[.decode].joins == 0)
        #expect(statistics[.decode].latency.count == 10)
    }

    @Test func `failures that fail no request are counted by code`() async throws {
        struct Broken: Error {}
        let bench = Bench()
        bench.data.failure = Broken()
        _ = try await bench.manager.image(for: bench.request())
        let statistics = try await settled(bench)
        #expect(statistics.issues == [.cacheFailed: 2], "one for the read and one for the store")
        #expect(statistics.failures.isEmpty)
        #expect(statistics.loads == 1)
        #expect(statistics[.query].failures == 1)
        #expect(statistics[.store].failures == 1)
    }

    @Test func `the statistics include those of the caches`() async throws {
        let bench = Bench()
        for side in 1...3 { _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(side, side)])) }
        bench.memory.trim(to: 0)
        let statistics = try await settled(bench)
        #expect(statistics.caches.memory?.evictions == 3)
        #expect(statistics.caches == bench.manager.cacheStatistics)
    }

    @Test func `the statistics of a busy manager follow the Prometheus format`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(5, 5)]))
        _ = await imageError { try await bench.manager.image(for: "no scheme") }
        let read = try Exposition(try await settled(bench).prometheusText)
        #expect(read.value("calotype_requests_total") == 2)
        #expect(read.value("calotype_responses_total", ["source": "loader"]) == 1)
        #expect(read.value("calotype_request_failures_total", ["code": "invalidURL"]) == 1)
        #expect(read.value("calotype_step_duration_seconds_count", ["stage": "decode"]) == 1)
    }
}
