import Calotype
import CalotypeTesting

/// A manager with fakes on all sides, which nearly every test of the pipeline uses.
struct Bench {
    let gate: Gate
    let loader: FakeImageLoader
    let coder: RawImageCoder
    let memory = BoundedMemoryCache(costLimit: 64 << 20, trimsUnderPressure: false)
    let data = InMemoryDataCache()
    let cache: TieredCache
    let listener = RecordingListener()
    let time = ManualTime()
    let manager: ImageManager

    /// - Parameters:
    /// - isOpen: Whether loads run at once; otherwise they wait at `gate`.
    /// - decodeGate: The gate at which decodes wait after their first row.
    /// - readsInPieces: The coder's `readsInPieces`.
    /// - context: Additional values for the manager's context.
    init(
        isOpen: Bool = true, decodeGate: BlockingGate? = nil, readsInPieces: Bool = false,
        concurrency: Concurrency = Concurrency(), context: ImageContext = []
    ) {
        gate = Gate(isOpen: isOpen)
        loader = FakeImageLoader(answer: .bytes(RawImageCoder.file(width: 40, height: 30)), gate: gate)
        coder = RawImageCoder(gate: decodeGate, readsInPieces: readsInPieces)
        cache = TieredCache(memory: memory, disk: data)
        let base: ImageContext = [.imageCache(cache), .eventListener(listener), .waitStoreCache]
        manager = ImageManager(context: base.merging(context), concurrency: concurrency, time: time)
        manager.registry.loaders.add(loader)
        manager.registry.coders.add(coder)
    }

    static let url = URL(string: "fake://host/picture.raw")!

    func request(_ context: ImageContext = []) -> ImageRequest { ImageRequest(Self.url, context: context) }
}

extension Image {
    /// The colors of all pixels, row by row.
    var colors: [PixelColor] {
        (0..<height).flatMap { y in (0..<width).map { x in pixels.color(x: x, y: y) } }
    }
}

/// Returns the `ImageError` of `body`; nil if it throws none.
func imageError<Result>(of body: () async throws -> Result) async -> ImageError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ImageError
    }
}
