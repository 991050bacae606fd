import Calotype
import CalotypeTesting
import Testing

/// Thousands of requests that are joined, cancelled and raised at random, against what must hold whatever happens.
@Suite(.timeLimit(.minutes(3)))
struct RandomInterleavingTests {
    /// What a request of the run asks for.
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

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `every request ends exactly once, with its own picture or as cancelled`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let bench = Bench(isOpen: false, context: [.off(.waitStoreCache)])
        let failing = 3
        for url in 0..<4 where url != failing {
            bench.loader.answer("fake://host/\(url)", with: .bytes(RawImageCoder.file(width: 16 + url, height: 16)))
        }
        bench.loader.answer(
            "fake://host/\(failing)", with: .failure(ImageError(.loadFailed, stage: .load, message: "no")))
        let names = ["a", "b", "c"]
        let transformers = Dictionary(uniqueKeysWithValues: names.map { ($0, FakeTransformer(key: $0)) })

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
            #expect(ends.count == 2 && ends[0] == ends[1], "seed \(seed): all listeners see one end")
            switch ends[0] {
            case .picture(let width)?:
                let expected = wish.side.map { min($0, 16 + wish.url) } ?? 16 + wish.url
                #expect(wish.url != failing && width == expected, "seed \(seed)")
            case .error(let code)?:
                let allowed = wasCancelled ? [.cancelled, .loadFailed] : [ImageError.Code.loadFailed]
                #expect(allowed.contains(code), "seed \(seed): \(code)")
                #expect(code != .loadFailed || wish.url == failing, "seed \(seed)")
            case nil:
                Issue.record("seed \(seed): a task ended without an end")
            }
        }
        while !bench.manager.isIdle { await Task.yield() }
        #expect(bench.loader.activeCount == 0, "seed \(seed)")
        #expect(bench.data.keys.allSatisfy { $0.source.text != "fake://host/\(failing)" }, "seed \(seed)")
    }

    private enum End: Equatable {
        case picture(width: Int)
        case error(ImageError.Code)
    }

    /// The one end of a task; nil when there was none, or more than one.
    private static func end(of task: ImageTask) async -> End? {
        var ends: [End] = []
        do {
            for try await event in task {
                if case .finished(let response) = event { ends.append(.picture(width: response.image.width)) }
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
                    _ = await Self.end(of: task)
                }
            }
        }
        while !bench.manager.isIdle { await Task.yield() }
        while bench.loader.activeCount > 0 { await Task.yield() }
    }
}
