import CalotypeTesting
import Testing

@testable import Calotype

/// The processing of an image before and after its encoder, for any format.
@Suite(.timeLimit(.minutes(5)))
struct EncodingTests {
    private func image(
        _ size: PixelSize = PixelSize(40, 30), attributes: Image.Attributes = Image.Attributes()
    ) throws -> Image {
        Image(pixels: try PixelBuffer.noise(size, isOpaque: true, seed: 1), attributes: attributes)
    }

    /// Returns an animation of gray frames, each brighter than the previous one.
    private func animation(_ size: PixelSize = PixelSize(40, 30)) throws -> Image {
        let frames = try [10.0, 20, 30].map { level in
            try PixelBuffer.drawn(size, isOpaque: true) { _, _ in [level, level, level, 255] }
        }
        let list = FrameList(
            zip(frames, [50, 60, 70]).map { (pixels: $0, duration: Duration.milliseconds($1)) }, loopCount: 3)
        return Image(pixels: frames[0], frames: list)
    }

    private func encode(
        _ image: Image, by coder: RecordingCoder, as format: ImageFormat = RecordingCoder.lossy,
        context: ImageContext = []
    ) async throws(ImageError) -> Data {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(coder)
        return try await manager.encode(image, as: format, context: context)
    }

    // MARK: Bytes

    @Test(arguments: 0..<90)
    func `a file over the size limit is written in the highest quality that fits`(_ percent: Int) async throws {
        let coder = RecordingCoder()
        // Between the size for this percentage and the size for the next.
        let context: ImageContext = [.compressionQuality(0.9), .encodeMaxFileBytes(percent * 100 + 50)]
        let data = try await encode(try image(), by: coder, context: context)
        #expect(data.count == percent * 100 + 1)
        #expect(coder.calls.first?.percent == 90, "the requested quality is tried first")
        #expect(coder.calls.count <= 8)
        #expect(Set(coder.calls.map(\.percent)).count == coder.calls.count, "no quality is tried twice")
    }

    @Test func `a file just within the size limit is written once`() async throws {
        let coder = RecordingCoder()
        let context: ImageContext = [.compressionQuality(0.5), .encodeMaxFileBytes(5001)]
        #expect(try await encode(try image(), by: coder, context: context).count == 5001)
        #expect(coder.calls.count == 1)
        let lossless = RecordingCoder([RecordingCoder.lossless])
        _ = try await encode(try image(), by: lossless, as: RecordingCoder.lossless, context: context)
        #expect(lossless.calls.count == 1)
    }

    @Test func `no quality above the requested one is tried`() async throws {
        let coder = RecordingCoder { call, _ in Int(call.options.quality * 10_000) }
        let context: ImageContext = [.compressionQuality(0.505), .encodeMaxFileBytes(5020)]
        #expect(try await encode(try image(), by: coder, context: context).count == 5000)
        #expect(coder.calls.map(\.options.quality).max() == 0.505)
        let best = RecordingCoder()
        _ = try await encode(
            try image(), by: best, context: [.compressionQuality(1), .encodeMaxFileBytes(9999)])
        #expect(best.calls.map(\.percent).max() == 100)
        #expect(best.calls.count <= 8)
    }

    @Test func `an error says what to do if no quality fits the size limit`() async throws {
        let coder = RecordingCoder { call, _ in 3000 + call.percent }
        let image = try image()
        let error = await imageError {
            try await encode(image, by: coder, context: [.encodeMaxFileBytes(2999)])
        }
        #expect(error?.code == .encodeFailed)
        #expect(error?.stage == .encode)
        #expect(error?.component == "lossy")
        #expect(error?.message.contains("3000 bytes") == true)
        #expect(error?.advice?.contains("encodeMaxPixelSize") == true)
        #expect(coder.calls.last?.percent == 0)
        #expect(coder.calls.count <= 8)
    }

    @Test func `no lower quality is tried if there is none`() async throws {
        let coder = RecordingCoder()
        let image = try image()
        let context: ImageContext = [.compressionQuality(0), .encodeMaxFileBytes(1)]
        #expect(try await encode(image, by: coder, context: context).count == 1)
        let long = RecordingCoder { _, _ in 2 }
        let error = await imageError { try await encode(image, by: long, context: context) }
        #expect(error?.code == .encodeFailed)
        #expect(long.calls.count == 1)
    }

    @Test func `a lossless format is written once, whether it fits or not`() async throws {
        let coder = RecordingCoder([RecordingCoder.lossless])
        let image = try image()
        let error = await imageError {
            try await encode(image, by: coder, as: RecordingCoder.lossless, context: [.encodeMaxFileBytes(9000)])
        }
        #expect(error?.code == .encodeFailed)
        #expect(error?.message.contains("9001 bytes") == true)
        #expect(error?.advice?.contains("encodeMaxPixelSize") == true)
        #expect(coder.calls.count == 1)
    }

    @Test func `the result fits even if lower quality takes more bytes`() async throws {
        for limit in [100, 250, 400] {
            let coder = RecordingCoder { call, _ in [400, 100, 250, 90, 900][call.percent % 5] }
            let data = try await encode(try image(), by: coder, context: [.encodeMaxFileBytes(limit)])
            #expect(data.count <= limit)
        }
    }

    @Test func `a search ends when it is cancelled`() throws {
        let coder = RecordingCoder { call, job in
            job.cancel()
            return call.percent * 100
        }
        let encoder = try #require(coder.encoder(for: RecordingCoder.lossy))
        let manager = ImageManager(context: [.off(.imageCache)])
        let picture = try image()
        let error = #expect(throws: ImageError.self) {
            try manager.pipeline.encode(
                picture, as: RecordingCoder.lossy, by: encoder, context: ResolvedContext([.encodeMaxFileBytes(200)]),
                job: Job(), onIssue: { _ in })
        }
        #expect(error?.code == .cancelled)
        #expect(coder.calls.count == 1)
    }

    @Test func `an error of an encoder becomes encodeFailed`() async throws {
        struct Refusal: Error {}
        let coder = RecordingCoder { _, _ in throw Refusal() }
        let image = try image()
        let error = await imageError { try await encode(image, by: coder) }
        #expect(error?.code == .encodeFailed)
        #expect(error?.component == "lossy")
        #expect(error?.cause is Refusal)
    }

    // MARK: Size

    @Test func `a picture is scaled down to the size limit, keeps its shape and is never enlarged`() async throws {
        let sizes: [(box: (Int, Int), expected: PixelSize)] = [
            ((20, 20), PixelSize(20, 15)), ((20, 0), PixelSize(20, 15)), ((0, 10), PixelSize(14, 10)),
            ((40, 30), PixelSize(40, 30)), ((400, 31), PixelSize(40, 30)), ((0, 0), PixelSize(40, 30)),
            ((1, 1), PixelSize(1, 1)),
        ]
        let image = try image()
        for (box, expected) in sizes {
            let coder = RecordingCoder()
            _ = try await encode(image, by: coder, context: [.encodeMaxPixelSize(box.0, box.1)])
            let given = try #require(coder.calls.first?.image)
            #expect(given.size == expected, "\(box)")
            if expected == image.size { #expect(given.isIdentical(to: image), "the image is passed on unchanged") }
        }
    }

    @Test func `the size limit applies to the picture as displayed`() async throws {
        let image = try image(attributes: Image.Attributes(orientation: .right))
        let coder = RecordingCoder(storesOrientation: true)
        _ = try await encode(image, by: coder, context: [.encodeMaxPixelSize(15, 100)])
        let given = try #require(coder.calls.first)
        #expect(given.image.size == PixelSize(20, 15), "15x20 when turned upright")
        #expect(given.image.attributes.orientation == .right)
        #expect(given.options.metadata.exif == EXIF.block(for: .right))
        let upright = RecordingCoder()
        _ = try await encode(image, by: upright, context: [.encodeMaxPixelSize(15, 100)])
        #expect(upright.calls.first?.image.size == PixelSize(15, 20))
    }

    // MARK: Orientation

    @Test(arguments: Orientation.allCases)
    func `pixels are turned for an encoder that writes no orientation`(_ orientation: Orientation) async throws {
        let metadata = ImageMetadata(exif: EXIFWritingTests.block)
        let image = try image(
            PixelSize(5, 3), attributes: Image.Attributes(orientation: orientation, metadata: metadata))
        let coder = RecordingCoder()
        _ = try await encode(image, by: coder, context: [.metadataPolicy(.all)])
        let given = try #require(coder.calls.first)
        #expect(given.image.size == orientation.displaySize(of: image.size))
        #expect(given.image.attributes.orientation == .up)
        let written = given.options.metadata.exif.map { EXIF.orientation(of: $0.bytes) }
        #expect(written == .up)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let place = orientation.displayPosition(x: x, y: y, in: image.size)
                #expect(given.image.pixels.color(x: place.x, y: place.y) == image.pixels.color(x: x, y: y))
            }
        }
        let storing = RecordingCoder(storesOrientation: true)
        _ = try await encode(image, by: storing)
        #expect(storing.calls.first?.image.isIdentical(to: image) == true)
    }

    @Test func `all frames of an animation are turned upright`() async throws {
        var animation = try animation()
        animation = Image(
            pixels: animation.pixels, frames: animation.frames, attributes: Image.Attributes(orientation: .left))
        let coder = RecordingCoder(writesAnimations: true)
        _ = try await encode(animation, by: coder)
        let frames = try #require(coder.calls.first?.image.frames)
        #expect(frames.frameCount == 3)
        for index in 0..<3 { #expect(try frames.frame(index, job: Job()).size == PixelSize(30, 40)) }
    }

    @Test func `pictures are scaled with the thumbnail filter`() async throws {
        let pixels = try PixelBuffer.drawn(PixelSize(8, 8), isOpaque: true) { x, y in
            [x < 4 ? 0 : 255, y < 4 ? 0 : 255, 0, 255]
        }
        let coder = RecordingCoder()
        let context: ImageContext = [.encodeMaxPixelSize(4, 4), .resamplingFilter(.nearest)]
        _ = try await encode(Image(pixels: pixels), by: coder, context: context)
        let colors = try #require(coder.calls.first?.image.colors)
        #expect(Set(colors.flatMap { [$0.red, $0.green] }) == [0, 1], "the result has no new levels")
    }

    @Test func `the pixel size is applied before the byte limit`() async throws {
        let coder = RecordingCoder { call, _ in call.image.size.area * call.percent }
        let context: ImageContext = [.encodeMaxPixelSize(20, 20), .encodeMaxFileBytes(300 * 10)]
        #expect(try await encode(try image(), by: coder, context: context).count == 3000)
        #expect(coder.calls.allSatisfy { $0.image.size == PixelSize(20, 15) })
    }

    // MARK: Animations

    @Test func `an encoder that writes animations gets the animation`() async throws {
        let coder = RecordingCoder(writesAnimations: true)
        let animation = try animation()
        _ = try await encode(animation, by: coder)
        #expect(coder.calls.first?.image.isIdentical(to: animation) == true)
    }

    @Test func `all frames of an animation are scaled down to the size limit`() async throws {
        let coder = RecordingCoder(writesAnimations: true)
        _ = try await encode(try animation(), by: coder, context: [.encodeMaxPixelSize(20, 20)])
        let given = try #require(coder.calls.first?.image)
        let frames = try #require(given.frames)
        #expect(given.size == PixelSize(20, 15))
        #expect(frames.frameCount == 3)
        #expect(frames.loopCount == 3)
        for (index, level) in [10.0, 20, 30].enumerated() {
            let pixels = try frames.frame(index, job: Job())
            #expect(pixels.size == PixelSize(20, 15))
            #expect(Set(Image(pixels: pixels).colors.map { ($0.red * 255).rounded() }) == [level])
            #expect(frames.duration(ofFrame: index) == .milliseconds(50 + 10 * index))
        }
    }

    @Test func `a still is encoded for firstFrameOnly, or if the encoder writes no animations`() async throws {
        let animation = try animation()
        let (first, none) = (RecordingCoder(writesAnimations: true), RecordingCoder())
        _ = try await encode(animation, by: first, context: [.encodeFirstFrameOnly])
        _ = try await encode(animation, by: none)
        for coder in [first, none] {
            let given = try #require(coder.calls.first?.image)
            #expect(given.frames == nil)
            #expect(given.colors == animation.colors)
        }
    }

    // MARK: Options

    @Test func `an encoder gets the options of the context`() async throws {
        let coder = RecordingCoder()
        let color = PixelColor(red: 1, green: 0, blue: 0)
        let context: ImageContext = [
            .encodeBackground(color), .embedThumbnail, .metadataPolicy(.strip), .compressionQuality(0.25),
        ]
        let image = try image()
        _ = try await encode(image, by: coder, context: context)
        _ = try await encode(image, by: coder)
        let (told, plain) = (coder.calls[0].options, coder.calls[1].options)
        #expect(told.background == color)
        #expect(plain.background == PixelColor(red: 1, green: 1, blue: 1))
        #expect([told.embedsThumbnail, plain.embedsThumbnail] == [true, false])
        #expect([told.embedsProfile, plain.embedsProfile] == [false, true])
        #expect([told.quality, plain.quality] == [0.25, 0.9])
        #expect(told.context[.embedThumbnail])
    }

    @Test func `a quality outside the valid range is clamped`() {
        let samples: [(asked: Double, expected: Double)] = [(-1, 0), (2, 1), (.infinity, 1), (.nan, 0)]
        for (asked, expected) in samples {
            #expect(EncodeOptions(ResolvedContext([.compressionQuality(asked)])).quality == expected)
        }
    }

    @Test func `metadata is selected after scaling`() async throws {
        let metadata = ImageMetadata(exif: EXIFWritingTests.block)
        let image = try image(attributes: Image.Attributes(metadata: metadata))
        let coder = RecordingCoder()
        _ = try await encode(image, by: coder, context: [.metadataPolicy(.all), .encodeMaxPixelSize(4, 3)])
        let renewed = try #require(EXIF.block(EXIFWritingTests.block, pixelSize: PixelSize(4, 3)))
        #expect(coder.calls.first?.options.metadata.exif == EXIF.block(renewed, orientedAs: .up))
    }
}
