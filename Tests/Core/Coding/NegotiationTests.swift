import CalotypeTesting
import Testing

@testable import Calotype

/// Tests of the choice of a format by the accepted media types.
@Suite(.timeLimit(.minutes(5)))
struct NegotiationTests {
    private func manager(
        stills: [ImageFormat] = [.jpeg, .avif], animations: [ImageFormat] = [.png, .gif, .webp]
    ) -> ImageManager {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(RecordingCoder(stills))
        manager.registry.coders.add(RecordingCoder(animations, writesAnimations: true))
        return manager
    }

    private func image(isOpaque: Bool = true) throws -> Image {
        Image(pixels: try PixelBuffer.noise(PixelSize(8, 6), isOpaque: isOpaque, seed: 1))
    }

    private func animation() throws -> Image {
        let frames = try (0..<2).map { try PixelBuffer.noise(PixelSize(8, 6), isOpaque: true, seed: $0) }
        return Image(
            pixels: frames[0],
            frames: FrameList(frames.map { (pixels: $0, duration: .milliseconds(50)) }, loopCount: 0))
    }

    /// The fields of browsers that support AVIF and WebP, only WebP, and neither.
    @Test(arguments: [
        ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", ImageFormat.avif),
        ("image/webp,image/png,image/*;q=0.8,*/*;q=0.5", .webp),
        ("image/*,*/*;q=0.8", .jpeg), ("*/*", .jpeg), ("IMAGE/WebP ; q=0.9", .webp),
        // The preference outweighs the size, and a quality of zero excludes a format in any case.
        ("image/avif;q=0.5,image/webp;q=0.9", .webp), ("image/avif;q=0,image/*", .jpeg),
        ("image/png;q=1.0,image/jpeg;q=0.1", .png), ("image/avif;q=wrong,image/png", .png),
        // A type with a parameter is distinct from the type without it, and does not exclude it.
        ("image/webp,image/webp;v=2;q=0", .webp), ("image/webp;q=0,image/webp;v=2;q=0.5,image/png;q=0.1", .webp),
        // An empty field accepts any format.
        ("", .jpeg), (" , ", .jpeg),
    ])
    func `the smallest of the most preferred formats is chosen`(accept: String, format: ImageFormat) throws {
        #expect(manager().format(for: try image(), accepting: [accept]) == format)
    }

    @Test func `an image with transparency gets a format with alpha if one is accepted`() throws {
        let clear = try image(isOpaque: false)
        #expect(manager().format(for: clear, accepting: ["*/*"]) == .png)
        #expect(manager().format(for: clear, accepting: ["image/jpeg", "image/webp"]) == .webp)
        #expect(manager().format(for: clear, accepting: ["image/jpeg"]) == .jpeg)
        // A loss of transparency outweighs the client's preference.
        #expect(manager().format(for: clear, accepting: ["image/jpeg,*/*;q=0.8"]) == .png)
        #expect(manager().format(for: clear, accepting: ["image/gif, image/jpeg"]) == .gif)
    }

    @Test func `an animation gets a format with animations, where one is accepted`() throws {
        let moving = try animation()
        #expect(manager().format(for: moving, accepting: ["image/avif,image/webp"]) == .webp)
        #expect(manager().format(for: moving, accepting: ["image/apng"]) == .png)
        #expect(manager().format(for: moving, accepting: ["image/avif"]) == .avif)
        #expect(manager().format(for: moving, accepting: ["image/avif,image/*;q=0.8"]) == .gif)
        #expect(manager().format(for: moving, accepting: ["*/*"]) == .gif)
        let still = manager().format(
            for: moving, accepting: ["image/avif,image/webp"], context: [.encodeFirstFrameOnly])
        #expect(still == .avif)
        let single = manager().format(for: moving, accepting: ["image/avif,image/gif"], context: [.frameCount(1)])
        #expect(single == .avif)
    }

    @Test(arguments: [["text/html"], ["image/heic"], ["image/avif;q=0"], ["image"]])
    func `there is no format if none of the accepted ones can be written`(accepted: [String]) async throws {
        let manager = manager()
        let picture = try image()
        #expect(manager.format(for: picture, accepting: accepted) == nil)
        let error = await #expect(throws: ImageError.self) {
            try await manager.encode(picture, accepting: accepted)
        }
        #expect(error?.code == .unknownFormat)
    }

    @Test func `the next format is used if one cannot hold the image`() async throws {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(RecordingCoder([.jpeg]))
        manager.registry.coders.add(RefusingCoder())
        let written = try await manager.encode(try image(), accepting: ["image/webp,image/jpeg;q=0.5"])
        #expect(written.format == .jpeg)
        let error = await #expect(throws: ImageError.self) {
            try await manager.encode(try image(), accepting: ["image/webp"])
        }
        #expect(error?.code == .encodeFailed)
    }

    /// A coder that claims to write WebP, and fails for every image.
    private struct RefusingCoder: ImageCoder {
        struct Encoder: ImageEncoder {
            func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
                throw ImageError(.encodeFailed, stage: .encode, message: "is too large")
            }
        }

        let formats: [ImageFormat] = [.webp]

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? { nil }
        func encoder(for format: ImageFormat) -> (any ImageEncoder)? { format == .webp ? Encoder() : nil }
    }

    @Test func `qualities are found by name and by extension, whatever the case`() throws {
        let qualities = try #require(FormatQualities(contextText: "JPG=0.5,webp=0.75"))
        #expect(qualities.quality(of: .jpeg) == 0.5)
        #expect(qualities.quality(of: .webp) == 0.75)
        #expect(qualities.quality(of: .png) == nil)
        #expect(FormatQualities(contextText: "avif=0.5,AVIF=0.9") == nil)
    }

    @Test func `an image is written in the format that is chosen, with the quality of that format`() async throws {
        let manager = ImageManager(context: [.off(.imageCache), .formatQualities(["AVIF": 0.5, "webp": 0.75])])
        let coder = RecordingCoder([.avif, .webp, .jpeg])
        manager.registry.coders.add(coder)
        let picture = try image()
        for (accept, format, percent) in [
            ("image/avif", ImageFormat.avif, 50), ("image/webp", .webp, 75), ("image/jpeg", .jpeg, 60),
        ] {
            let written = try await manager.encode(picture, accepting: [accept], context: [.compressionQuality(0.6)])
            #expect(written.format == format)
            #expect(written.data.count == percent * 100 + 1)
        }
        #expect(coder.calls.map(\.format) == [.avif, .webp, .jpeg])
    }
}
