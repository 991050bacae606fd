import CalotypeTesting
import Testing

@testable import Calotype

extension ContextKey where Value == Int {
    /// A custom key of a coder, which changes its output.
    fileprivate static let roughness = ContextKey("roughness", default: 1, summary: "How rough it is written.")
}

/// The encoding of variants for a cache, and variants that are not stored.
@Suite(.timeLimit(.minutes(5)))
struct EncodedVariantTests {
    /// Returns a request for a given image, with a coder that writes only the requested formats.
    private func request(
        _ bench: Bench, _ coder: RecordingCoder, _ image: Image? = nil, context: ImageContext = []
    ) -> ImageRequest {
        bench.manager.registry.coders.add(coder)
        let transformer = FakeTransformer { image ?? $0 }
        return bench.request([.imageCoder(coder), .transformer(transformer)]).with(context)
    }

    private func animation() throws -> Image {
        let frames = try (0..<3).map { try PixelBuffer.noise(PixelSize(8, 6), isOpaque: true, seed: UInt64($0)) }
        let list = FrameList(frames.map { (pixels: $0, duration: Duration.milliseconds(50)) })
        return Image(pixels: frames[0], frames: list)
    }

    // MARK: The default rule

    /// A picture, the available coders, and the chosen format.
    struct Case: Sendable {
        var isOpaque = true
        var depth = PixelFormat.rgba8
        let source: ImageFormat?
        var writers: [ImageFormat] = [RecordingCoder.lossy, .jpeg, RecordingCoder.lossless, .png]
        let expected: ImageFormat
    }

    private static let cases = [
        Case(source: .jpeg, expected: .jpeg),
        Case(source: RecordingCoder.lossy, expected: .jpeg),
        Case(isOpaque: false, source: .jpeg, expected: .png),
        Case(depth: .rgba16, source: .jpeg, expected: .png),
        Case(depth: .rgbaFloat, source: .jpeg, expected: .png),
        Case(source: .png, expected: .png),
        Case(source: RecordingCoder.lossless, expected: .png),
        Case(source: nil, expected: .png),
        Case(isOpaque: false, source: nil, expected: .png),
        Case(source: .jpeg, writers: [RecordingCoder.lossy, .png], expected: .png),
        Case(source: .jpeg, writers: [RecordingCoder.lossless], expected: RecordingCoder.lossless),
        Case(source: .png, writers: [.jpeg, RecordingCoder.lossless], expected: RecordingCoder.lossless),
    ]

    @Test(arguments: cases)
    func `a variant is stored losslessly if it has or had anything to lose, otherwise as JPEG at quality 90`(
        _ example: Case
    ) async throws {
        let bench = Bench()
        let coder = RecordingCoder(example.writers, reader: bench.coder)
        let pixels = try PixelBuffer.noise(PixelSize(4, 3), example.depth, isOpaque: example.isOpaque, seed: 1)
        let image = Image(pixels: pixels, attributes: Image.Attributes(format: example.source))
        _ = try await bench.manager.image(for: request(bench, coder, image))
        #expect(coder.calls.map(\.format) == [example.expected])
        #expect(coder.calls.map(\.percent) == [90])
        #expect(coder.calls.allSatisfy { $0.options.embedsProfile })
        #expect(coder.calls.allSatisfy { $0.options.favorsSpeed })
    }

    @Test func `a lossy format is not used for a variant that must not lose anything`() async throws {
        let bench = Bench()
        let coder = RecordingCoder([RecordingCoder.lossy, .jpeg], reader: bench.coder)
        _ = try await bench.manager.image(for: request(bench, coder))
        #expect(coder.calls.isEmpty)
        #expect(bench.data.keys.map(\.isOriginal) == [true])
        await bench.manager.waitForEvents()
        let failure = try #require(bench.listener.issues.first { $0.stage == .encode })
        #expect(failure.advice?.contains("lossless") == true)
    }

    @Test func `pixels that are not upright are stored in a format with orientation, or not at all`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(4, 3), seed: 1)
        let image = Image(pixels: pixels, attributes: Image.Attributes(orientation: .right))
        for isKept in [true, false] {
            let bench = Bench()
            let coder = RecordingCoder([.png], reader: bench.coder, storesOrientation: isKept)
            _ = try await bench.manager.image(for: request(bench, coder, image))
            let written: [Orientation] = isKept ? [.right] : []
            #expect(coder.calls.map(\.image.attributes.orientation) == written)
            #expect(bench.data.keys.filter { !$0.isOriginal }.count == written.count)
        }
    }

    // MARK: Options

    @Test func `encoding options of a request do not affect the cache`() async throws {
        let bench = Bench()
        let coder = RecordingCoder([.png], reader: bench.coder)
        let wishes: ImageContext = [
            .compressionQuality(0.1), .encodeMaxPixelSize(2, 2), .encodeMaxFileBytes(1), .metadataPolicy(.strip),
            .encodeBackground(PixelColor(red: 0, green: 0, blue: 0)), .embedThumbnail,
            .set(ContextKey.roughness, to: 9),
        ]
        _ = try await bench.manager.image(for: request(bench, coder, context: wishes))
        let call = try #require(coder.calls.first)
        #expect(coder.calls.count == 1)
        #expect(call.image.size == PixelSize(40, 30))
        #expect(call.options.quality == 0.9)
        #expect(call.options.background == PixelColor(red: 1, green: 1, blue: 1))
        #expect(call.options.embedsProfile)
        #expect(!call.options.embedsThumbnail)
        #expect(call.options.context[.roughness] == 1)
        #expect(bench.data.keys.filter { !$0.isOriginal }.count == 1)
    }

    @Test func `encodeFirstFrameOnly leaves the animation in the cache`() async throws {
        let bench = Bench()
        let coder = RecordingCoder([.png], reader: bench.coder, writesAnimations: true)
        _ = try await bench.manager.image(
            for: request(bench, coder, try animation(), context: [.encodeFirstFrameOnly]))
        #expect(coder.calls.map(\.image.isAnimated) == [true])
    }

    @Test func `metadata of the image is stored with it`() async throws {
        let bench = Bench()
        let coder = RecordingCoder([.png], reader: bench.coder)
        let metadata = ImageMetadata(exif: EXIFWritingTests.block, xmp: Data("<x/>".utf8))
        let pixels = try PixelBuffer.noise(PixelSize(4, 3), seed: 1)
        let image = Image(pixels: pixels, attributes: Image.Attributes(metadata: metadata))
        _ = try await bench.manager.image(for: request(bench, coder, image))
        let kept = try #require(coder.calls.first?.options.metadata)
        #expect(kept.xmp == metadata.xmp)
        #expect(kept.exif.flatMap { EXIF.rights(of: $0) } == EXIF.rights(of: EXIFWritingTests.block))
    }

    // MARK: Animations

    @Test func `an animation is stored losslessly if possible`() async throws {
        let bench = Bench()
        let coder = RecordingCoder(
            [RecordingCoder.lossy, RecordingCoder.lossless], reader: bench.coder, writesAnimations: true)
        _ = try await bench.manager.image(for: request(bench, coder, try animation()))
        #expect(coder.calls.map(\.format) == [RecordingCoder.lossless])
        #expect(coder.calls.map(\.image.isAnimated) == [true])
        #expect(bench.data.keys.filter { !$0.isOriginal }.count == 1)
    }

    @Test func `an animation is stored lossily if no lossless format has animations`() async throws {
        let bench = Bench()
        let coder = RecordingCoder([RecordingCoder.lossy], reader: bench.coder, writesAnimations: true)
        _ = try await bench.manager.image(for: request(bench, coder, try animation()))
        #expect(coder.calls.map(\.format) == [RecordingCoder.lossy])
        #expect(coder.calls.map(\.percent) == [90])
    }

    @Test func `an animation that no coder can write is not stored, and an event reports it`() async throws {
        let bench = Bench()
        let coder = RecordingCoder([RecordingCoder.lossless, .png], reader: bench.coder)
        let animation = try animation()
        let image = try await bench.manager.image(for: request(bench, coder, animation))
        #expect(image.isAnimated)
        #expect(coder.calls.isEmpty, "no still is written instead")
        #expect(bench.data.keys.map(\.isOriginal) == [true])
        await bench.manager.waitForEvents()
        let failure = try #require(bench.listener.issues.first { $0.stage == .encode })
        #expect(failure.code == .unknownFormat)
        #expect(failure.message.contains("an animation"))
        #expect(failure.advice?.contains("animations") == true)
        let byHand = await imageError {
            try await bench.manager.store(animation, for: request(bench, coder), in: .disk)
        }
        #expect(byHand?.code == .unknownFormat)
        #expect(byHand?.message == failure.message)
    }

    // MARK: Partial pictures

    /// A file without its last rows.
    private var cutFile: Data { RawImageCoder.file(width: 40, height: 30).dropLast(40 * 4 * 10) }

    private static let contexts: [ImageContext] = [
        [], [.thumbnailPixelSize(20, 20)], [.transformer(.resize(width: 20, height: 20))],
    ]

    @Test(arguments: contexts)
    func `a partial picture is not stored`(_ context: ImageContext) async throws {
        let bench = Bench(context: [
            .on(.allowPartial), .originalStoreCacheType(.all), .originalQueryCacheType(.all),
        ])
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(cutFile))
        let part = try await bench.manager.image(for: bench.request(context))
        #expect(part.attributes.isPartial)
        #expect(bench.data.stores.isEmpty)
        #expect(bench.memory.count == 0)
        bench.loader.answer(
            Bench.url.absoluteString, with: .bytes(RawImageCoder.file(width: 40, height: 30)))
        let whole = try await bench.manager.response(for: bench.request(context))
        #expect(whole.source == .loader)
        #expect(!whole.image.attributes.isPartial)
        #expect(!bench.data.stores.isEmpty)
    }

    @Test func `a transformed partial picture is not stored, even if it claims to be whole`() async throws {
        let bench = Bench(context: [.on(.allowPartial)])
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(cutFile))
        let transformer = FakeTransformer { Image(pixels: $0.pixels) }
        let image = try await bench.manager.image(for: bench.request([.transformer(transformer)]))
        #expect(!image.attributes.isPartial)
        #expect(bench.data.stores.isEmpty)
        #expect(bench.memory.count == 0)
    }

    @Test func `a partial image from a loader is not stored`() async throws {
        let bench = Bench()
        let pixels = try PixelBuffer.noise(PixelSize(4, 3), seed: 1)
        let part = Image(pixels: pixels, attributes: Image.Attributes(isPartial: true))
        bench.loader.answer(Bench.url.absoluteString, with: .image(part))
        for _ in 0..<2 { #expect(try await bench.manager.image(for: bench.request()).attributes.isPartial) }
        #expect(bench.loader.loadCount == 2)
        #expect(bench.data.stores.isEmpty)
    }
}
