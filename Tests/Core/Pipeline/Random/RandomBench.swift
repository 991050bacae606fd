import CalotypeTesting
import Testing

@testable import Calotype

/// A manager for random runs, with fakes that count their calls.
struct RandomBench {
    let gate: Gate
    let loader: FakeImageLoader
    let flaky: FlakyImageLoader
    /// The loader for which all workers wait together.
    let last: FakeImageLoader
    let loads: TallyingLoader
    let coder = TallyingCoder()
    let memory = TallyingMemoryCache()
    let data = TallyingDataCache()
    let cache: TieredCache
    let listener = EventTally()
    let time = ManualTime()
    let taller = RandomVariant.makeTaller()
    let placeholder: Image
    let manager: ImageManager

    static let lastFile = RawImageCoder.file(width: 2, height: 2)

    init() throws {
        gate = Gate(isOpen: true)
        loader = FakeImageLoader(gate: gate)
        flaky = FlakyImageLoader(RandomPicture(.flaky, version: 0).file, gate: gate)
        last = FakeImageLoader(scheme: "last", answer: .bytes(Self.lastFile), gate: Gate())
        loads = TallyingLoader([loader, flaky, last])
        placeholder = Image(pixels: try PixelBuffer.drawn(PixelSize(2, 2)) { _, _ in [1, 2, 3, 255] })
        cache = TieredCache(memory: memory, disk: data)
        manager = ImageManager(
            context: [.imageCache(cache), .eventListener(listener), .off(.waitStoreCache)], time: time)
        manager.registry.loaders.add(loads)
        manager.registry.coders.add(coder)
        for source in RandomSource.allCases { change(source, to: 0) }
    }

    /// Changes the version of a source.
    func change(_ source: RandomSource, to version: Int) {
        loader.answer(source.url.absoluteString, with: source.answer(version))
    }

    func request(_ wish: RandomWish) -> ImageRequest { wish.request(showing: placeholder, taller) }

    /// Returns a request for a picture, without further options.
    func request(_ place: RandomPlace, _ context: ImageContext = []) -> ImageRequest {
        ImageRequest(place.source.url, context: place.variant.context(taller).merging(context))
    }

    /// Returns the keys of all pictures.
    func places() async throws -> [VariantKey: RandomPlace] {
        var places: [VariantKey: RandomPlace] = [:]
        for place in RandomPlace.all { places[try await manager.cacheKey(for: request(place))] = place }
        return places
    }

    /// Waits until no work is in progress, including cancelled work, after all requests have ended.
    func settle() async throws {
        var transfers: [TransferID] = []
        for source in RandomSource.allCases {
            transfers.append(try await manager.resolved(of: ImageRequest(source.url)).transfer)
        }
        let pipeline = manager.pipeline
        // In the order of processing: work that has left one stage is in the next, or gone.
        try await wait {
            guard manager.tasks.isEmpty, manager.statistics.inFlight == 0, manager.isIdle, loads.total.active == 0,
                pipeline.undecoded.byteCount == 0,
                transfers.allSatisfy({ pipeline.originalsInUse.original(by: $0) == nil })
            else { return false }
            return pipeline.unfinished.byteCount == 0
        }
        await pipeline.pendingStores.wait(for: cache)
        let lanes = pipeline.lanes
        try await wait {
            [lanes.loading, lanes.arriving, lanes.readingGate, lanes.decodingGate].allSatisfy {
                $0.waitingCount == 0 && $0.takenCost == 0
            } && manager.statistics.stages.values.allSatisfy { $0.running == 0 }
        }
        await manager.waitForEvents()
        await manager.waitForEvents()
    }

    /// Polls, since the end of cancelled work is not reported. The caller has awaited everything else, so this is
    /// short.
    private func wait(until isOver: () -> Bool) async throws {
        try await waitUntil("the cancelled work has ended", isOver)
    }
}
