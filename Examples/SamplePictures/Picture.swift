import CalotypeStandard

/// A sample picture: a scene, still or animated, with its size and its file format.
struct Picture: Sendable {
    /// The name of the file, without its extension.
    let name: String
    /// The size of the upright picture in pixels, before the division by `Options.divisor`.
    let size: PixelSize
    /// The format of the file, and the options for writing it.
    let file: PictureFile
    /// Whether a channel has 16 bits instead of 8.
    let isDeep: Bool
    /// Whether the picture is opaque.
    let isOpaque: Bool
    /// The number of frames; 1 for a still image.
    let frameCount: Int
    /// A function that creates the scene for a size, random numbers, and a time from 0 to 1. A still image is painted
    /// at the time 1.
    private let scene: @Sendable (PixelSize, Noise, Float) async -> any Scene

    private static let frameDuration = Duration.milliseconds(60)

    /// All sample pictures, the largest first. They cover typical kinds of files: progressive, rotated, simple,
    /// transparent, with more than 8 bits, and animated. A format that is not built in is replaced by PNG.
    static let all = [
        Picture(name: "landscape", size: PixelSize(4_000, 3_000), file: .jpegInScans) { size, noise, _ in
            await LandscapeScene(size: size, noise: noise)
        },
        Picture(name: "city", size: PixelSize(2_400, 3_200), file: .jpegTurned) { size, noise, _ in
            CityScene(size: size, noise: noise)
        },
        Picture(name: "still-life", size: PixelSize(3_000, 2_000), file: .jpeg) { size, noise, _ in
            StillLifeScene(size: size, noise: noise)
        },
        Picture(name: "flower", size: PixelSize(2_048, 1_536), file: .png, isOpaque: false) { size, noise, _ in
            FlowerScene(size: size, noise: noise)
        },
        Picture(name: "aurora", size: PixelSize(1_600, 1_200), file: .png, isDeep: true) { size, noise, _ in
            AuroraScene(size: size, noise: noise)
        },
        Picture(name: "glass", size: PixelSize(1_024, 768), file: .webp, isOpaque: false) { size, noise, _ in
            FlowerScene(size: size, noise: noise, openness: 0.6)
        },
        Picture(name: "blossom", size: PixelSize(640, 480), file: .png, isOpaque: false, frameCount: 24) {
            FlowerScene(size: $0, noise: $1, openness: $2)
        },
        Picture(name: "bud", size: PixelSize(320, 240), file: .webp, isOpaque: false, frameCount: 16) {
            FlowerScene(size: $0, noise: $1, openness: $2)
        },
        Picture(name: "petals", size: PixelSize(320, 240), file: .gif, isOpaque: false, frameCount: 16) {
            FlowerScene(size: $0, noise: $1, openness: $2)
        },
    ]

    init(
        name: String, size: PixelSize, file: PictureFile, isDeep: Bool = false, isOpaque: Bool = true,
        frameCount: Int = 1, scene: @escaping @Sendable (PixelSize, Noise, Float) async -> any Scene
    ) {
        self.name = name
        self.size = size
        self.file = file
        self.isDeep = isDeep
        self.isOpaque = isOpaque
        self.frameCount = frameCount
        self.scene = scene
    }

    /// Paints the picture, and returns its pixels in the stored orientation.
    /// - Parameters:
    ///   - divisor: The number by which the width and the height are divided.
    ///   - noise: The random numbers.
    func image(dividedBy divisor: Int, noise: Noise) async throws(ImageError) -> Image {
        var frames: [(pixels: PixelBuffer, duration: Duration)] = []
        for frame in 1...frameCount {
            let time = Float(frame) / Float(frameCount)
            frames.append((try await pixels(at: time, dividedBy: divisor, noise), Self.frameDuration))
        }
        return Image(
            pixels: frames[0].pixels, frames: frameCount > 1 ? FrameList(frames) : nil,
            attributes: Image.Attributes(orientation: file.orientation))
    }

    private func pixels(
        at time: Float, dividedBy divisor: Int, _ noise: Noise
    ) async throws(ImageError) -> PixelBuffer {
        let scene = await self.scene(PixelSize(size.width / divisor, size.height / divisor), noise, time)
        let pixels = try await scene.painted(isDeep: isDeep, isOpaque: isOpaque)
        // The inverse rotation is stored, so that the orientation turns the picture upright.
        return try pixels.upright(from: file.orientation.inverse)
    }
}
