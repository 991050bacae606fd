import CalotypeTesting
import Testing

@testable import Calotype

/// A manager with custom coders, whose cache can return entries immediately. It is used by tests of work on the
/// caller's thread.
struct HereBench {
    static var request: ImageRequest { ImageRequest("fake://host/picture") }
    /// A picture that is decoded quickly.
    static let file = RawImageCoder.file(width: 8, height: 6)
    /// The name of the decoding threads.
    static let laneName = "ct-decode"

    let loader = FakeImageLoader()
    let data: ImmediateDataCache
    let listener = RecordingListener()
    let manager: ImageManager

    /// - Parameters:
    /// - coders: The coders; the last one is tried first.
    /// - data: The disk tier, which is the only one.
    /// - context: Additional values for the manager's context.
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

    /// Stores a file in the cache.
    func keep(_ file: Data = HereBench.file, for request: ImageRequest = HereBench.request) async throws {
        try data.kept.store(CacheEntry(data: file), for: try await manager.cacheKey(for: request))
    }

    /// Serves a file from the loader.
    func serve(_ file: Data = HereBench.file, for request: ImageRequest = HereBench.request) throws {
        loader.answer(try #require(request.url).absoluteString, with: .bytes(file))
    }

    /// Returns the steps of a stage so far, as reported, including failures.
    func lines(_ stage: ImageError.Stage) async -> [String] {
        await manager.waitForEvents()
        return listener.events.filter { $0.stage == stage }.map(\.line)
    }

    /// Expects that one picture was decoded in one step, in events and statistics.
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
