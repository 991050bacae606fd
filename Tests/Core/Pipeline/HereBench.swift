import CalotypeTesting
import Testing

@testable import Calotype

/// A manager with coders of a test's own, whose cache says without waiting what it has: what tests begin with of work
/// that is done on the thread of who asks.
struct HereBench {
    static var request: ImageRequest { ImageRequest("fake://host/picture") }
    /// A picture that is decoded in no time.
    static let file = RawImageCoder.file(width: 8, height: 6)
    /// The name of the threads that decode.
    static let laneName = "ct-decode"

    let loader = FakeImageLoader()
    let data: ImmediateDataCache
    let listener = RecordingListener()
    let manager: ImageManager

    /// - Parameters:
    ///   - coders: The last one is asked first.
    ///   - data: The disk tier; there is no other.
    ///   - context: Values over those of the bench, in the manager's layer.
    init(
        _ coders: any ImageCoder..., data: ImmediateDataCache = ImmediateDataCache(),
        concurrency: Concurrency = Concurrency(), context: ImageContext = []
    ) {
        self.data = data
        let base: ImageContext = [
            .imageCache(TieredCache(memory: nil, disk: data)), .eventListener(listener), .waitStoreCache,
        ]
        manager = ImageManager(context: base.merging(context), concurrency: concurrency, time: ManualTime())
        manager.registry.loaders.add(loader)
        for coder in coders { manager.registry.coders.add(coder) }
    }

    /// Lets the cache have a file.
    func keep(_ file: Data = HereBench.file, for request: ImageRequest = HereBench.request) async throws {
        try data.kept.store(CacheEntry(data: file), for: try await manager.cacheKey(for: request))
    }

    /// Lets the loader have it.
    func serve(_ file: Data = HereBench.file, for request: ImageRequest = HereBench.request) throws {
        loader.answer(try #require(request.url).absoluteString, with: .bytes(file))
    }

    /// The steps of a stage so far as they were told, together with its failures.
    func lines(_ stage: ImageError.Stage) async -> [String] {
        await manager.waitForEvents()
        return listener.events.filter { $0.stage == stage }.map(\.line)
    }

    /// Expects that one picture was decoded in one step, as it was told and as it was counted.
    func expectOneDecode(sourceLocation: SourceLocation = #_sourceLocation) async {
        let lines = await lines(.decode)
        #expect(lines == ["decode began", "decode succeeded"], sourceLocation: sourceLocation)
        let statistics = manager.statistics[.decode]
        #expect(statistics.latency.count == 1, sourceLocation: sourceLocation)
        let others =
            statistics.running + statistics.postponements + statistics.cancellations + statistics.failures
            + statistics.misses
        #expect(others == 0, sourceLocation: sourceLocation)
    }
}
