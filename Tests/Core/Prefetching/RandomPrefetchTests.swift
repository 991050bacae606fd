import Calotype
import CalotypeTesting
import Testing

/// Lists that are started, cancelled, paused and awaited at random, with checks of invariants.
@Suite(.timeLimit(.minutes(5)))
struct RandomPrefetchTests {
    /// The picture that cannot be loaded, among five.
    private static let failing = 4

    /// A list of the run.
    private struct Run {
        let pictures: [Int]
        let token: PrefetchToken
        let log: PrefetchLog
        var wasCancelled = false
    }

    @Test(arguments: RandomSeeds.all)
    func `every list ends exactly once, and each request is reported once`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let bench = Bench(isOpen: false, context: [.off(.waitStoreCache)])
        bench.loader.answer(
            "fake://host/\(Self.failing)", with: .failure(ImageError(.loadFailed, stage: .load, message: "no")))
        let log = PrefetchLog()
        let destinations: [CacheTiers] = [.memory, .disk, .all]
        let prefetcher = ImagePrefetcher(
            manager: bench.manager, maxConcurrent: Int.random(in: 1...4, using: &random),
            destination: destinations.randomElement(using: &random) ?? .all, delegate: log)

        var runs: [Run] = []
        var visible: [ImageTask] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3:
                let count = Int.random(in: 0..<7, using: &random)
                let pictures = (0..<count).map { _ in Int.random(in: 0...Self.failing, using: &random) }
                let ownLog = PrefetchLog()
                let token = prefetcher.start(pictures.map { "fake://host/\($0)" }) { ownLog.note($0) }
                runs.append(Run(pictures: pictures, token: token, log: ownLog))
            case 3:
                guard let index = runs.indices.randomElement(using: &random) else { continue }
                runs[index].token.cancel()
                runs[index].wasCancelled = true
            case 4, 5:
                let picture = Int.random(in: 0...Self.failing, using: &random)
                visible.append(bench.manager.load("fake://host/\(picture)"))
            case 6:
                visible.randomElement(using: &random)?.cancel()
            case 7:
                Bool.random(using: &random) ? prefetcher.pause() : prefetcher.resume()
            case 8:
                prefetcher.priority = Priority.allCases.randomElement(using: &random) ?? .low
            case 9:
                bench.memory.clear()
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                prefetcher.cancelAll()
                for index in runs.indices { runs[index].wasCancelled = true }
            default:
                Bool.random(using: &random) ? bench.gate.open() : bench.gate.close()
                for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
            }
        }
        bench.gate.open()
        prefetcher.resume()
        for run in runs {
            let ends = await withTaskGroup(of: PrefetchProgress?.self) { group in
                for _ in 0..<2 { group.addTask { await Self.last(of: run.token) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let result = await run.token.completion
            #expect(ends == [result, result], RandomSeeds.comment(seed, "all listeners see one end"))
        }
        // Completes after all pending calls.
        let last = await prefetcher.start(["fake://host/0"]).completion
        #expect(last == PrefetchProgress(finished: 1, skipped: 0, total: 1), RandomSeeds.comment(seed))

        var endedCount = 1
        for run in runs {
            let result = await run.token.completion
            endedCount += result.finished + result.skipped
            check(run, result, RandomSeeds.comment(seed))
        }
        check(log.entries, endedCount: endedCount, RandomSeeds.comment(seed))
        for task in visible { _ = try? await task.response }
        try await waitUntil("no task is running: seed \(seed)") {
            bench.manager.isIdle && bench.loader.activeCount == 0
        }
    }

    /// Returns the last progress of a token.
    private static func last(of token: PrefetchToken) async -> PrefetchProgress? {
        var last: PrefetchProgress?
        for await progress in token { last = progress }
        return last
    }

    private func check(_ run: Run, _ result: PrefetchProgress, _ comment: Comment) {
        let told = run.log.lists
        #expect(told.map { $0.finished + $0.skipped } == Array((0...told.count).dropFirst()), comment)
        // A request is counted before the delegate is called, and the closure is called after the delegate. A list that
        // is cancelled in between has counted one request without a call of its closure.
        let untoldCount = result.finished + result.skipped - told.count
        #expect(
            (0...(run.wasCancelled ? 1 : 0)).contains(untoldCount),
            "\(untoldCount) results were not reported: \(comment)")
        #expect(untoldCount > 0 || told.isEmpty || told.last == result, comment)
        let failing = run.pictures.count(where: { $0 == Self.failing })
        let whole = PrefetchProgress(
            finished: run.pictures.count - failing, skipped: failing, total: run.pictures.count)
        if run.wasCancelled {
            #expect(result.finished <= whole.finished && result.skipped <= whole.skipped, "\(result): \(comment)")
        } else {
            #expect(result == whole, comment)
        }
    }

    /// - Parameter endedCount: The number of requests that ended before their list was cancelled.
    private func check(_ entries: [PrefetchLog.Entry], endedCount: Int, _ comment: Comment) {
        var ended = 0
        var sum = 0
        for entry in entries {
            switch entry {
            case .delegate(let progress):
                ended += 1
                #expect(progress.finished + progress.skipped == ended && ended <= progress.total, comment)
            case .end(let progress):
                #expect(progress.finished + progress.skipped == ended && progress.total == ended, comment)
                sum += ended
                ended = 0
            case .list:
                Issue.record("a list's result was logged as a call of the delegate: \(comment)")
            }
        }
        #expect(ended == 0, "the last end was not reported to the delegate: \(comment)")
        #expect(sum == endedCount, comment)
    }
}
