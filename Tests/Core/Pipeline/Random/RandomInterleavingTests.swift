import Calotype
import CalotypeTesting
import Testing

/// Thousands of requests that are shared, cancelled and raised in priority at random, with checks of invariants.
@Suite(.timeLimit(.minutes(5)))
struct RandomInterleavingTests {
    /// The number of rows that each transformer adds.
    private static let rows = ["a": 1, "b": 10, "c": 100]

    /// A random request of the run.
    private struct Wish {
        let url: Int
        let side: Int?
        let steps: [String]

        init(_ random: inout SplitMix64) {
            url = Int.random(in: 0..<4, using: &random)
            side = [nil, 4, 8].randomElement(using: &random)!
            steps = [[], ["a"], ["a", "b"], ["a", "c"]].randomElement(using: &random)!
        }

        func request(_ transformers: [String: FakeTransformer]) -> ImageRequest {
            var context: ImageContext = [.transformers(steps.compactMap { transformers[$0] })]
            if let side { context.set(.thumbnailPixelSize(side, side)) }
            return ImageRequest("fake://host/\(url)", context: context)
        }
    }

    @Test(arguments: RandomSeeds.all)
    func `every request ends exactly once, with its own picture or as cancelled`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let bench = Bench(isOpen: false, context: [.off(.waitStoreCache)])
        let failing = 3
        for url in 0..<4 where url != failing {
            bench.loader.answer("fake://host/\(url)", with: .bytes(RawImageCoder.file(width: 16 + url, height: 16)))
        }
        bench.loader.answer(
            "fake://host/\(failing)", with: .failure(ImageError(.loadFailed, stage: .load, message: "no")))
        // Each transformer adds a different number of rows, so that a wrong chain is visible in the size.
        let transformers = Dictionary(
            uniqueKeysWithValues: Self.rows.map { key, rows in
                let transformer = FakeTransformer(key: key) { image in
                    image.replacing(
                        pixels: try image.pixels.resampled(to: PixelSize(image.width, image.height + rows)))
                }
                return (key, transformer)
            })

        var running: [(wish: Wish, task: ImageTask, wasCancelled: Bool)] = []
        for round in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let wish = Wish(&random)
                running.append((wish, bench.manager.load(wish.request(transformers)), false))
            case 6, 7:
                guard let index = running.indices.randomElement(using: &random) else { continue }
                running[index].task.cancel()
                running[index].wasCancelled = true
            case 8:
                running.randomElement(using: &random)?.task.priority = Priority.allCases.randomElement(using: &random)!
            default:
                round.isMultiple(of: 2) ? bench.gate.open() : bench.gate.close()
                await Task.yield()
            }
            if Int.random(in: 0..<50, using: &random) == 0 { bench.memory.clear() }
        }
        bench.gate.open()

        for (wish, task, wasCancelled) in running {
            let ends = await withTaskGroup(of: End?.self) { group in
                for _ in 0..<2 { group.addTask { await Self.end(of: task) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ends.count == 2 && ends[0] == ends[1], RandomSeeds.comment(seed, "all listeners see one end"))
            switch ends[0] {
            case .picture(let size)?:
                let source = PixelSize(16 + wish.url, 16)
                var expected = wish.side.map { source.fitting(PixelSize($0, $0)) } ?? source
                expected.height += wish.steps.reduce(0) { $0 + (Self.rows[$1] ?? 0) }
                #expect(wish.url != failing && size == expected, RandomSeeds.comment(seed, "\(wish) gave \(size)"))
            case .error(let code)?:
                let allowed = wasCancelled ? [.cancelled, .loadFailed] : [ImageError.Code.loadFailed]
                #expect(allowed.contains(code), RandomSeeds.comment(seed, "\(code)"))
                #expect(code != .loadFailed || wish.url == failing, RandomSeeds.comment(seed))
            case nil:
                Issue.record(RandomSeeds.comment(seed, "a task ended without an end"))
            }
        }
        try await waitUntil("the manager is idle: seed \(seed)") { bench.manager.isIdle }
        #expect(bench.loader.activeCount == 0, RandomSeeds.comment(seed))
        #expect(bench.data.keys.allSatisfy { $0.source.text != "fake://host/\(failing)" }, RandomSeeds.comment(seed))
    }

    private enum End: Equatable {
        case picture(PixelSize)
        case error(ImageError.Code)
    }

    /// Returns the only end of a task; nil for none or several.
    private static func end(of task: ImageTask) async -> End? {
        var ends: [End] = []
        do {
            for try await event in task {
                if case .finished(let response) = event { ends.append(.picture(response.image.size)) }
            }
        } catch let error as ImageError {
            ends.append(.error(error.code))
        } catch {
            return nil
        }
        return ends.count == 1 ? ends[0] : nil
    }

    @Test func `a thousand requests cancelled at random moments leave nothing behind`() async throws {
        var random = SplitMix64(seed: 42)
        let bench = Bench()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<1000 {
                let yields = Int.random(in: 0..<20, using: &random)
                let task = bench.manager.load(ImageRequest("fake://host/\(index % 50)", context: [.fromLoaderOnly]))
                group.addTask {
                    for _ in 0..<yields { await Task.yield() }
                    task.cancel()
                    let end = await Self.end(of: task)
                    #expect(
                        end == .picture(PixelSize(40, 30)) || end == .error(.cancelled), "\(String(describing: end))")
                }
            }
        }
        try await waitUntil("the manager is idle") { bench.manager.isIdle }
        try await waitUntil("no load is running") { bench.loader.activeCount == 0 }
    }
}
