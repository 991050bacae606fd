import CalotypeStandard

/// One of the sample pictures: a scene at a size, and how it is written.
struct Picture: Sendable {
    /// The file's name without its extension.
    let name: String
    /// The size in pixels at full size, upright.
    let size: PixelSize
    /// The file that it is written to.
    let file: PictureFile
    /// Whether a channel has 16 bits, not 8.
    let isDeep: Bool
    /// Whether nothing shows through.
    let isOpaque: Bool
    private let scene: @Sendable (PixelSize, Noise) async -> any Scene

    /// All of them, the largest first. Together they show what files of pictures are like: in scans, turned, plain,
    /// with transparency, with more than 8 bits.
    static let all = [
        Picture(name: "landscape", size: PixelSize(4_000, 3_000), file: .jpegInScans) {
            await LandscapeScene(size: $0, noise: $1)
        },
        Picture(name: "city", size: PixelSize(2_400, 3_200), file: .jpegTurned) { CityScene(size: $0, noise: $1) },
        Picture(name: "still-life", size: PixelSize(3_000, 2_000), file: .jpeg) {
            StillLifeScene(size: $0, noise: $1)
        },
        Picture(name: "flower", size: PixelSize(2_048, 1_536), file: .png, isOpaque: false) {
            FlowerScene(size: $0, noise: $1)
        },
        Picture(name: "aurora", size: PixelSize(1_600, 1_200), file: .png, isDeep: true) {
            AuroraScene(size: $0, noise: $1)
        },
    ]

    init(
        name: String, size: PixelSize, file: PictureFile, isDeep: Bool = false, isOpaque: Bool = true,
        scene: @escaping @Sendable (PixelSize, Noise) async -> any Scene
    ) {
        self.name = name
        self.size = size
        self.file = file
        self.isDeep = isDeep
        self.isOpaque = isOpaque
        self.scene = scene
    }

    /// Paints the picture, each side divided by `divisor`, with its pixels as they are to be stored.
    func image(dividedBy divisor: Int, noise: Noise) async throws(ImageError) -> Image {
        let scene = await self.scene(PixelSize(size.width / divisor, size.height / divisor), noise)
        let pixels = try await scene.painted(isDeep: isDeep, isOpaque: isOpaque)
        // To turn them as the inverse says is to store them so that the orientation turns them back.
        return Image(
            pixels: try pixels.upright(from: file.orientation.inverse),
            attributes: Image.Attributes(orientation: file.orientation))
    }
}
