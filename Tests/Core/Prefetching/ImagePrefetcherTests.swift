import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ImagePrefetcherTests {
    private static func urls(_ names: String...) -> [String] { names.map { "fake://host/\($0)" } }

    private func order(of bench: Bench) -> [String] {
        bench.loader.requests.map { $0.url.lastPathComponent }
    }

    private func counts(_ finished: Int, _ skipped: Int, of total: Int) -> PrefetchProgress {
        PrefetchProgress(finished: finished, skipped: skipped, total: total)
    }

    // MARK: Counts

    @Test func `two prefetchers of one manager are independent`() async throws {
        let bench = Bench(isOpen: false)
        let one = ImagePrefetcher(manager: bench.manager)
        let other = ImagePrefetcher(manager: bench.manager)
        let first = one.start(Self.urls("a"))
        let second = other.start(Self.urls("b"))
        await bench.gate.waitForArrivals(2)
        one.pause()
        one.cancelAll()
        #expect(first.isFinished)
        #expect(!second.isFinished)
        bench.gate.open()
        let result = await second.completion
        #expect(result == counts(1, 0, of: 1))
    }

    @Test func `progress counts one, two, three of three, and then the list ends`() async throws {
        let bench = Bench()
        for side in [20, 30, 40] {
            bench.loader.answer("fake://host/\(side)", with: .bytes(RawImageCoder.file(width: side, height: side)))
        }
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        let log = PrefetchLog()
        let token = prefetcher.start(Self.urls("20", "30", "40")) { log.note($0) }
        let result = await token.completion
        #expect(result == counts(3, 0, of: 3))
        #expect(token.isFinished)
        #expect(log.lists == (1...3).map { counts($0, 0, of: 3) })
        for side in [20, 30, 40] {
            #expect(bench.manager.cachedResponse(for: "fake://host/\(side)")?.image.width == side)
        }
    }

    @Test func `an empty list ends at once`() async throws {
        let log = PrefetchLog()
        let prefetcher = ImagePrefetcher(manager: Bench().manager, delegate: log)
        prefetcher.pause()
        let token = prefetcher.start([String]()) { log.note($0) }
        #expect(token.isFinished)
        let result = await token.completion
        #expect(result == counts(0, 0, of: 0))
        #expect(log.entries.isEmpty)
    }

    @Test func `two lists with a common picture each end with their own counts`() async throws {
        let prefetcher = ImagePrefetcher(manager: Bench().manager)
        let ends = await withTaskGroup(of: (PrefetchProgress, [PrefetchProgress]).self) { group in
            for urls in [Self.urls("20", "30"), Self.urls("30", "40", "50")] {
                group.addTask {
                    let log = PrefetchLog()
                    let result = await prefetcher.start(urls) { log.note($0) }.completion
                    return (result, log.lists)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ends.map(\.0)) == [counts(2, 0, of: 2), counts(3, 0, of: 3)])
        for (result, lists) in ends {
            #expect(lists == (1...result.total).map { counts($0, 0, of: result.total) })
        }
    }

    @Test func `the delegate is called before the list's closure, with the same counts`() async throws {
        let bench = Bench()
        for side in 1...20 {
            bench.loader.answer("fake://host/\(side)", with: .bytes(RawImageCoder.file(width: side, height: side)))
        }
        let failure = ImageError(.notFound, stage: .load, message: "no")
        for side in [7, 13] { bench.loader.answer("fake://host/\(side)", with: .failure(failure)) }
        let log = PrefetchLog()
        let prefetcher = ImagePrefetcher(manager: bench.manager, delegate: log)
        let token = prefetcher.start((1...20).map { "fake://host/\($0)" }) { log.note($0) }
        let result = await token.completion
        #expect(result == counts(18, 2, of: 20))
        let lists = log.lists
        #expect(lists.map { $0.finished + $0.skipped } == Array(1...20))
        let expected = lists.flatMap { [PrefetchLog.Entry.delegate($0), .list($0)] } + [.end(result)]
        #expect(log.entries == expected)
    }

    @Test func `the delegate gets the counts of all lists together, and one call when the last ends`() async throws {
        let log = PrefetchLog()
        let prefetcher = ImagePrefetcher(manager: Bench().manager, delegate: log)
        prefetcher.pause()
        let tokens = [prefetcher.start(Self.urls("a")), prefetcher.start(Self.urls("b", "c"))]
        prefetcher.resume()
        for token in tokens { _ = await token.completion }
        let expected = (1...3).map { PrefetchLog.Entry.delegate(counts($0, 0, of: 3)) } + [.end(counts(3, 0, of: 3))]
        #expect(log.entries == expected)
        _ = await prefetcher.start(Self.urls("d")).completion
        #expect(log.entries.suffix(2) == [.delegate(counts(1, 0, of: 1)), .end(counts(1, 0, of: 1))])
    }

    @Test func `requests that are cancelled elsewhere are skipped, and the list ends`() async throws {
        let bench = Bench(isOpen: false)
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        let token = prefetcher.start(Self.urls("a", "b", "c"))
        await bench.gate.waitForArrivals(3)
        bench.manager.cancelAll()
        let result = await token.completion
        #expect(result == counts(0, 3, of: 3))
    }

    @Test func `loads that their loader cancels are skipped, and the list ends`() async throws {
        let bench = Bench()
        let urls = Self.urls("a", "b", "c")
        for url in urls { bench.loader.answer(url, with: .failure(CancellationError())) }
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        let token = prefetcher.start(urls)
        let result = await token.completion
        #expect(result == counts(0, 3, of: 3))
    }

    @Test func `a repeated picture counts twice, and an invalid URL is skipped`() async throws {
        let bench = Bench()
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1)
        let result = await prefetcher.start(["fake://host/a", "", "fake://host/a", "no URL"]).completion
        #expect(result == counts(2, 2, of: 4))
        #expect(bench.loader.loadCount == 1)
    }

    @Test func `a prefetched image is a hit, for the prefetcher as well`() async throws {
        let bench = Bench()
        let request = bench.request([.thumbnailPixelSize(8, 8)])
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        for _ in 0..<2 {
            let result = await prefetcher.start([request]).completion
            #expect(result == counts(1, 0, of: 1))
        }
        let response = try await bench.manager.response(for: request)
        #expect(response.source == .memory)
        #expect(bench.loader.loadCount == 1)
        #expect(bench.coder.decodeCount == 1)
    }

    // MARK: Listeners

    @Test func `a late listener gets the latest progress and the end`() async throws {
        let prefetcher = ImagePrefetcher(manager: Bench().manager)
        let token = prefetcher.start(Self.urls("a", "b"))
        _ = await token.completion
        var heard: [PrefetchProgress] = []
        for await progress in token { heard.append(progress) }
        #expect(heard == [counts(2, 0, of: 2)])
    }

    @Test func `a cancelled waiter leaves the list running`() async throws {
        let bench = Bench(isOpen: false)
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        let token = prefetcher.start(Self.urls("a"))
        let waiting = Task { await token.completion }
        await bench.gate.waitForArrivals(1)
        waiting.cancel()
        let before = await waiting.value
        #expect(before == counts(0, 0, of: 1))
        bench.gate.open()
        let after = await token.completion
        #expect(after == counts(1, 0, of: 1))
    }

    @Test func `a callback may cancel the list and begin another`() async throws {
        let bench = Bench()
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1)
        let (first, second) = (Lock<PrefetchToken?>(nil), Lock<PrefetchToken?>(nil))
        prefetcher.pause()
        let token = prefetcher.start(Self.urls("a", "b")) { _ in
            first.withLock { $0 }?.cancel()
            let next = prefetcher.start(Self.urls("c"))
            second.withLock { $0 = next }
        }
        first.withLock { $0 = token }
        prefetcher.resume()
        let result = await token.completion
        #expect(result == counts(1, 0, of: 2))
        try await waitUntil("the second list has begun") { second.withLock { $0 } != nil }
        let other = await second.withLock { $0 }?.completion
        #expect(other == counts(1, 0, of: 1))
        #expect(order(of: bench) == ["a", "c"])
    }

    @Test func `a delegate that cancels a list gets no further calls for it`() async throws {
        let (log, delegate) = (PrefetchLog(), CancellingDelegate())
        let prefetcher = ImagePrefetcher(manager: Bench().manager, maxConcurrent: 1, delegate: delegate)
        prefetcher.pause()
        let token = prefetcher.start(Self.urls("a", "b")) { log.note($0) }
        delegate.token.withLock { $0 = token }
        let other = prefetcher.start(Self.urls("c"))
        prefetcher.resume()
        _ = await other.completion
        let result = await token.completion
        #expect(log.entries.isEmpty)
        #expect(result == counts(1, 0, of: 2))
        let endCount = delegate.endCount.withLock { $0 }
        #expect(endCount == 1)
    }

    @Test func `a list cancelled during a delegate call has counted the request, and its closure is not called`()
        async throws
    {
        let (log, gate) = (PrefetchLog(), BlockingGate())
        defer { gate.open() }
        let delegate = HeldDelegate(gate: gate)
        let prefetcher = ImagePrefetcher(manager: Bench().manager, maxConcurrent: 1, delegate: delegate)
        let token = prefetcher.start(Self.urls("a", "b")) { log.note($0) }
        await gate.waitForArrivals(1)
        token.cancel()
        gate.open()
        let result = await token.completion
        #expect(result == counts(1, 0, of: 2))
        // Delivered on the same queue, after all pending calls of the first list.
        let other = await prefetcher.start(Self.urls("c")).completion
        withExtendedLifetime(prefetcher) {}
        #expect(other == counts(1, 0, of: 1))
        #expect(log.entries.isEmpty)
        #expect(delegate.told == [counts(1, 0, of: 2), counts(1, 0, of: 1)])
    }

    @Test func `a callback that never returns delays no load and no other prefetcher`() async throws {
        let gate = BlockingGate()
        defer { gate.open() }
        let bench = Bench()
        // More than there are threads for tasks.
        let count = min(Concurrency().decodes + 8, 64)
        let delegate = HeldDelegate(gate: gate)
        let held = (0..<count).map { number in
            // Alternately the delegate and the closure of a list.
            ImagePrefetcher(manager: bench.manager, delegate: number.isMultiple(of: 2) ? delegate : nil)
        }
        let tokens = held.enumerated().map { number, prefetcher in
            prefetcher.start(Self.urls("\(number)")) { _ in
                if !number.isMultiple(of: 2) { gate.pass() }
            }
        }
        await gate.waitForArrivals(count)
        #expect(try await bench.manager.image(for: "fake://host/other").width == 40)
        let other = ImagePrefetcher(manager: bench.manager)
        let result = await other.start(Self.urls("x", "y")).completion
        withExtendedLifetime(other) {}
        #expect(result == counts(2, 0, of: 2))
        #expect(tokens.allSatisfy { !$0.isFinished })
        tokens[0].cancel()
        #expect(tokens[0].isFinished)
        gate.open()
        for token in tokens.dropFirst() {
            let result = await token.completion
            #expect(result == counts(1, 0, of: 1))
        }
        withExtendedLifetime((delegate, held)) {}
    }

    // MARK: Scheduling

    @Test func `a list keeps its order, and lists take turns`() async throws {
        let bench = Bench()
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1)
        prefetcher.pause()
        let long = prefetcher.start(Self.urls("a1", "a2", "a3", "a4"))
        let short = prefetcher.start(Self.urls("b1", "b2"))
        prefetcher.resume()
        _ = await (long.completion, short.completion)
        #expect(order(of: bench) == ["a1", "b1", "a2", "b2", "a3", "a4"])
    }

    @Test func `the concurrency limit applies over all lists`() async throws {
        let bench = Bench(isOpen: false)
        let crowd = CrowdLoader(bench.loader)
        bench.manager.registry.loaders.add(crowd)
        let prefetcher = ImagePrefetcher(manager: bench.manager)
        let tokens = (0..<4).map { list in prefetcher.start((0..<8).map { "fake://host/\(list)-\($0)" }) }
        await bench.gate.waitForArrivals(3)
        bench.gate.open()
        for token in tokens {
            let result = await token.completion
            #expect(result == counts(8, 0, of: 8))
        }
        #expect(crowd.most == 3)
    }

    @Test func `a request is created only when its turn comes`() async throws {
        let bench = Bench(isOpen: false)
        let count = Lock(0)
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 2)
        let token = prefetcher.start((0..<10_000).map { LateRequest(text: "fake://host/\($0)", count: count) })
        await bench.gate.waitForArrivals(2)
        let made = count.withLock { $0 }
        #expect(made == 2)
        token.cancel()
        #expect(token.isFinished)
    }

    @Test func `a paused prefetcher finishes running requests and starts none`() async throws {
        let bench = Bench(isOpen: false)
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1)
        let token = prefetcher.start(Self.urls("a", "b"))
        await bench.gate.waitForArrivals(1)
        prefetcher.pause()
        bench.gate.open()
        for await progress in token where progress.finished == 1 { break }
        let other = prefetcher.start(Self.urls("c"))
        _ = try await bench.manager.image(for: "fake://host/other")
        #expect(order(of: bench) == ["a", "other"])
        #expect(!token.isFinished)
        #expect(!other.isFinished)
        prefetcher.resume()
        let (first, second) = await (token.completion, other.completion)
        #expect(first == counts(2, 0, of: 2))
        #expect(second == counts(1, 0, of: 1))
        #expect(order(of: bench) == ["a", "other", "b", "c"])
    }

    // MARK: Cancellation

    @Test func `a cancelled list ends at once, and the delegate is notified that none is left`() async throws {
        let bench = Bench(isOpen: false)
        let log = PrefetchLog()
        let prefetcher = ImagePrefetcher(manager: bench.manager, delegate: log)
        let token = prefetcher.start(Self.urls("a", "b", "c", "d")) { log.note($0) }
        await bench.gate.waitForArrivals(3)
        #expect(!token.isFinished)
        token.cancel()
        #expect(token.isFinished)
        token.cancel()
        let result = await token.completion
        #expect(result == counts(0, 0, of: 4))
        try await waitUntil("three loads are cancelled, and the delegate is called for the end") {
            bench.loader.cancelCount >= 3 && log.endCount >= 1
        }
        #expect(bench.loader.loadCount == 3)
        #expect(log.entries == [.end(counts(0, 0, of: 0))])
    }

    @Test func `the delegate still counts the finished requests of a cancelled list`() async throws {
        let bench = Bench()
        let log = PrefetchLog()
        let prefetcher = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1, delegate: log)
        prefetcher.pause()
        let box = Lock<PrefetchToken?>(nil)
        let token = prefetcher.start(Self.urls("a", "b", "c")) { _ in box.withLock { $0 }?.cancel() }
        box.withLock { $0 = token }
        let other = prefetcher.start(Self.urls("d"))
        prefetcher.resume()
        _ = await other.completion
        #expect(
            log.entries == [
                .delegate(counts(1, 0, of: 4)), .delegate(counts(2, 0, of: 2)), .end(counts(2, 0, of: 2)),
            ])
    }

    @Test func `a released prefetcher cancels its lists, and calls no callback`() async throws {
        let bench = Bench(isOpen: false)
        let log = PrefetchLog()
        var prefetcher: ImagePrefetcher? = ImagePrefetcher(manager: bench.manager, maxConcurrent: 1, delegate: log)
        let token = prefetcher?.start(Self.urls("a", "b"))
        await bench.gate.waitForArrivals(1)
        prefetcher = nil
        #expect(token?.isFinished == true)
        try await waitUntil("the load is cancelled, and the manager is idle") {
            bench.loader.cancelCount >= 1 && bench.manager.isIdle
        }
        #expect(bench.loader.loadCount == 1)
        #expect(log.entries.isEmpty)
    }
}

/// A delegate that cancels a list at its first call.
private final class CancellingDelegate: ImagePrefetcherDelegate {
    let token = Lock<PrefetchToken?>(nil)
    let endCount = Lock(0)

    func didPrefetch(_ request: ImageRequest, progress: PrefetchProgress) {
        token.withLock { $0 }?.cancel()
    }

    func didFinish(_ progress: PrefetchProgress) {
        endCount.withLock { $0 += 1 }
    }
}

/// A delegate that blocks until a gate is opened.
private final class HeldDelegate: ImagePrefetcherDelegate {
    private let gate: BlockingGate
    private let state = Lock<[PrefetchProgress]>([])

    init(gate: BlockingGate) { self.gate = gate }

    /// The counts that it received, recorded before it waits.
    var told: [PrefetchProgress] { state.withLock { $0 } }

    func didPrefetch(_ request: ImageRequest, progress: PrefetchProgress) {
        state.withLock { $0.append(progress) }
        gate.pass()
    }
}

/// A loader that counts its concurrent loads.
private final class CrowdLoader: ImageLoader {
    private let state = Lock((now: 0, most: 0))
    private let loader: FakeImageLoader

    init(_ loader: FakeImageLoader) { self.loader = loader }

    /// The largest number of concurrent loads.
    var most: Int { state.withLock { $0.most } }

    func canLoad(_ request: LoadRequest) -> Bool { loader.canLoad(request) }

    @concurrent
    func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
        defer { state.withLock { $0.now -= 1 } }
        return try await loader.load(request, into: sink)
    }
}

/// A request that counts its conversions.
private struct LateRequest: ImageRequestConvertible {
    let text: String
    let count: Lock<Int>

    var imageRequest: ImageRequest {
        count.withLock { $0 += 1 }
        return ImageRequest(text)
    }
}
