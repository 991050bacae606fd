import CalotypeStandard

/// One of the sample pictures: a scene at a size.
struct Picture: Sendable {
    /// The file's name without its extension.
    let name: String
    /// The size in pixels at full size.
    let size: PixelSize
    /// Whether a channel has 16 bits, not 8.
    let isDeep: Bool
    /// Whether nothing shows through.
    let isOpaque: Bool
    private let scene: @Sendable (PixelSize, Noise) async -> any Scene

    /// All of them, the largest first.
    static let all = [
        Picture(name: "landscape", size: PixelSize(4_000, 3_000)) { await LandscapeScene(size: $0, noise: $1) },
        Picture(name: "city", size: PixelSize(2_400, 3_200)) { CityScene(size: $0, noise: $1) },
        Picture(name: "still-life", size: PixelSize(3_000, 2_000)) { StillLifeScene(size: $0, noise: $1) },
        Picture(name: "flower", size: PixelSize(2_048, 1_536), isOpaque: false) { FlowerScene(size: $0, noise: $1) },
        Picture(name: "aurora", size: PixelSize(1_600, 1_200), isDeep: true) { AuroraScene(size: $0, noise: $1) },
    ]

    init(
        name: String, size: PixelSize, isDeep: Bool = false, isOpaque: Bool = true,
        scene: @escaping @Sendable (PixelSize, Noise) async -> any Scene
    ) {
        self.name = name
        self.size = size
        self.isDeep = isDeep
        self.isOpaque = isOpaque
        self.scene = scene
    }

    /// Paints the picture, each side divided by `divisor`.
    func image(dividedBy divisor: Int, noise: Noise) async throws(ImageError) -> Image {
        let scene = await self.scene(PixelSize(size.width / divisor, size.height / divisor), noise)
        let pixels = try await scene.painted(isDeep: isDeep, isOpaque: isOpaque)
        return Image(pixels: pixels)
    }
}
