import CalotypeTesting
import Testing

@testable import Calotype

/// The work that starts before the caller suspends, and the work that never does.
@Suite(.timeLimit(.minutes(5)))
struct StartingHereTests {
    private let window = CallWindow()

    /// A loader that runs a closure.
    private struct ScriptedLoader: ImageLoader {
        let script: @Sendable () async throws -> Image

        func canLoad(_ request: LoadRequest) -> Bool { true }

        @concurrent
        func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            .image(try await script())
        }
    }

    private static func image() throws -> Image { Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1)) }

    private static func cancelThisTask() { withUnsafeCurrentTask { $0?.cancel() } }

    // MARK: Cancelled callers

    @Test(arguments: [false, true])
    func `nothing is done for a cancelled caller`(isKept: Bool) async throws {
        let coder = ThreadNotingCoder(RawImageCoder(isPureComputation: true))
        let bench = HereBench(coder)
        try bench.serve()
        if isKept { try await bench.keep() }
        // Repeated, since work that started in error might be stopped in time.
        for _ in 0..<200 {
            let error = await Task {
                Self.cancelThisTask()
                return await imageError { try await bench.manager.response(for: HereBench.request) }
            }.value
            #expect(error?.code == .cancelled)
        }
        try await waitUntil("no task is running") { bench.manager.isIdle && bench.manager.statistics.inFlight == 0 }
        #expect(coder.decoderThreads.isEmpty)
        #expect(bench.loader.loadCount == 0)
        #expect(bench.data.immediateReads.isEmpty)
        #expect(bench.data.reads.isEmpty)
        let statistics = bench.manager.statistics
        #expect(statistics.cancellations == 200)
        #expect(statistics.stages.values.allSatisfy { $0 == StageStatistics() })
    }

    // MARK: Slow code

    @Test func `a cache is asked before the caller would have to wait, a loader never is`() async throws {
        let loads = Lock<[Bool]>([])
        let data = ImmediateDataCache(window: window)
        let bench = HereBench(RawImageCoder(isPureComputation: true), data: data)
        let image = try Self.image()
        bench.manager.registry.loaders.add(
            ScriptedLoader { [window] in
                let isInWindow = window.isOpenHere
                loads.withLock { $0.append(isInWindow) }
                return image
            })
        let found = Lock<ImageResponse?>(nil)
        let task = window.begin {
            let response = try? await bench.manager.response(for: HereBench.request)
            found.withLock { $0 = response }
        }
        await task.value
        #expect(found.withLock { $0 }?.source == .loader)
        #expect(data.immediateReads.map(\.isInWindow) == [true])
        #expect(loads.withLock { $0 } == [false])
    }

    @Test func `a transformer never runs before the caller suspends`() async throws {
        let coder = ThreadNotingCoder(RawImageCoder(isPureComputation: true), window: window)
        let bench = HereBench(coder, data: ImmediateDataCache(window: window))
        try await bench.keep()
        let threads = Lock<[String]>([])
        let transforms = Lock<[Bool]>([])
        let transformer = FakeTransformer { [window] image in
            let (isInWindow, name) = (window.isOpenHere, ThreadNote.current.name)
            transforms.withLock { $0.append(isInWindow) }
            threads.withLock { $0.append(name) }
            return image
        }
        let request = ImageRequest("fake://host/picture", context: [.transformer(transformer)])
        let found = Lock<ImageResponse?>(nil)
        let task = window.begin {
            let response = try? await bench.manager.response(for: request)
            found.withLock { $0 = response }
        }
        await task.value
        #expect(found.withLock { $0 }?.source == .disk)
        #expect(transforms.withLock { $0 } == [false])
        #expect(threads.withLock { $0 } == ["ct-transform"])
        #expect(coder.windowCount == 0, "its source is not decoded on the caller's thread either")
    }

    @Test(arguments: Caller.allCases)
    func `a cancelled caller returns at once, whatever a loader is doing`(caller: Caller) async throws {
        let (arrival, hold) = (Gate(isOpen: true), OneShot<Void>())
        let bench = HereBench()
        let image = try Self.image()
        // This wait ignores cancellation.
        bench.manager.registry.loaders.add(
            ScriptedLoader {
                try await arrival.pass()
                try await hold.value()
                return image
            })
        let leaving = Task {
            await imageError {
                try await caller.call { try await bench.manager.response(for: HereBench.request) }
            }
        }
        await arrival.waitForArrivals(1)
        leaving.cancel()
        #expect(await leaving.value?.code == .cancelled)
        hold.resolve(.success(()))
        try await waitUntil("no load is running") { bench.manager.statistics[.load].running == 0 }
        #expect(bench.manager.statistics.cancellations == 1)
    }

    // MARK: Deep nesting

    @Test func `a hundred transformers are applied in their order`() async throws {
        let count = 100
        let bench = HereBench(RawImageCoder(isPureComputation: true), context: [.off(.eventListener)])
        try await bench.keep()
        let applied = Lock<[Int]>([])
        let steps = (0..<count).map { index in
            FakeTransformer(key: "t\(index)") { image in
                applied.withLock { $0.append(index) }
                return image
            }
        }
        let request = ImageRequest("fake://host/picture", context: [.transformers(steps)])
        let plain = try await bench.manager.image(for: HereBench.request)
        let response = try await Caller.pool.call { try await bench.manager.response(for: request) }
        #expect(response.source == .disk)
        #expect(response.image.colors == plain.colors)
        #expect(applied.withLock { $0 } == Array(0..<count))
        #expect(bench.manager.statistics[.transform].latency.count == count)
    }

    /// A loader that requests the next URL from its manager, until there is none.
    private struct ChainLoader: ImageLoader {
        let manager = Lock<ImageManager?>(nil)
        let loaded = Lock<[Int]>([])
        let last: Image

        func canLoad(_ request: LoadRequest) -> Bool { request.url.scheme == "chain" }

        @concurrent
        func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            let number = Int(request.url.lastPathComponent) ?? 0
            loaded.withLock { $0.append(number) }
            guard number > 0, let manager = manager.withLock({ $0 }) else { return .image(last) }
            return .image(try await manager.image(for: "chain://host/\(number - 1)"))
        }
    }

    @Test func `a loader can load through its manager three hundred levels deep`() async throws {
        let bench = HereBench(context: [.off(.imageCache)])
        let loader = ChainLoader(last: try Self.image())
        loader.manager.withLock { $0 = bench.manager }
        // The manager retains the loader.
        defer { loader.manager.withLock { $0 = nil } }
        bench.manager.registry.loaders.add(loader)
        let image = try await Caller.pool.call { try await bench.manager.image(for: "chain://host/299") }
        #expect(image.colors == loader.last.colors)
        #expect(loader.loaded.withLock { $0 } == Array((0..<300).reversed()))
        #expect(bench.manager.statistics.loads == 300)
    }
}
