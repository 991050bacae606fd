import CalotypeTesting
import Testing

@testable import Calotype

/// Plugins that retain arguments of their calls longer than the manager lives.
@Suite(.timeLimit(.minutes(5)))
struct ManagerReleaseTests {
    /// A delegate with the default decisions.
    private struct Silent: ImageManagerDelegate {}

    @Test func `a loader that retains its requests does not retain the manager`() async throws {
        let loader: FakeImageLoader
        weak var manager: ImageManager?
        weak var pipeline: Pipeline?
        do {
            let bench = Bench(context: [.delegate(Silent())])
            (loader, manager, pipeline) = (bench.loader, bench.manager, bench.manager.pipeline)
            #expect(try await bench.manager.image(for: bench.request()).width == 40)
        }
        try await waitUntil("the manager is released") { manager == nil && pipeline == nil }
        let request = try #require(loader.requests.first)
        #expect(request.needsRedirectApproval)
        await #expect(throws: CancellationError.self) {
            _ = try await request.shouldFollowRedirect(to: Bench.url)
        }
    }

    @Test(arguments: [[], [.transformer(FakeTransformer())]] as [ImageContext])
    func `a loader that retains a cancelled request is released with its manager`(context: ImageContext) async throws {
        weak var loader: FakeImageLoader?
        do {
            let bench = Bench(isOpen: false, context: [.delegate(Silent())])
            loader = bench.loader
            let task = bench.manager.load(bench.request(context))
            await bench.gate.waitForArrivals(1)
            task.cancel()
            try await waitUntil("the manager is idle") { bench.manager.isIdle }
            #expect(bench.loader.requests.first?.needsRedirectApproval == true)
        }
        try await waitUntil("the loader is released") { loader == nil }
    }

    /// A loader that retains its sinks.
    private final class SinkKeeper: ImageLoader {
        let sinks = Lock<[any ByteSink]>([])
        private let gate: Gate

        init(gate: Gate = Gate(isOpen: true)) { self.gate = gate }

        func canLoad(_ request: LoadRequest) -> Bool { true }

        func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            sinks.withLock { $0.append(sink) }
            try await gate.pass()
            try await sink.write(RawImageCoder.file(width: 40, height: 30))
            return .complete
        }
    }

    @Test func `a loader that retains its sink does not retain the manager`() async throws {
        let loader = SinkKeeper()
        weak var manager: ImageManager?
        weak var pipeline: Pipeline?
        do {
            let bench = Bench()
            (manager, pipeline) = (bench.manager, bench.manager.pipeline)
            bench.manager.registry.loaders.add(loader)
            #expect(try await bench.manager.image(for: bench.request()).width == 40)
        }
        try await waitUntil("the manager is released") { manager == nil && pipeline == nil }
        let sink = try #require(loader.sinks.withLock { $0.first })
        let error = await imageError { try await sink.write(Data([1])) }
        #expect(error?.code == .loadFailed)
    }

    @Test func `a loader that retains the sink of a cancelled load is released with its manager`() async throws {
        weak var loader: SinkKeeper?
        do {
            let bench = Bench(isOpen: false)
            let keeper = SinkKeeper(gate: bench.gate)
            loader = keeper
            bench.manager.registry.loaders.add(keeper)
            let task = bench.manager.load(bench.request())
            await bench.gate.waitForArrivals(1)
            task.cancel()
            try await waitUntil("the manager is idle") { bench.manager.isIdle }
            #expect(keeper.sinks.withLock(\.count) == 1)
        }
        try await waitUntil("the loader is released") { loader == nil }
    }

    @Test func `a coder that retains its options does not retain the manager`() async throws {
        let coder = RecordingCoder()
        weak var manager: ImageManager?
        weak var pipeline: Pipeline?
        do {
            let bench = Bench()
            (manager, pipeline) = (bench.manager, bench.manager.pipeline)
            bench.manager.registry.coders.add(coder)
            let image = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
            _ = try await bench.manager.encode(image, as: RecordingCoder.lossy)
        }
        try await waitUntil("the manager is released") { manager == nil && pipeline == nil }
        let options = try #require(coder.calls.first).options
        // No listener is left.
        options.onIssue(ImageError(.encodeFailed, stage: .encode, message: "too late"))
    }
}
