import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

/// Decoding, cropping, transforming and encoding of animations by a manager.
@Suite(.timeLimit(.minutes(5)))
struct AnimationDecodingTests {
    /// Eight frames, each of which depends on the previous one.
    private let animation = SampleAnimation(
        Array(repeating: (.over, .keep), count: 8), seed: 21, isFull: { $0 == 0 })
    private let coder = RawImageCoder()
    private let manager = ImageManager(context: [.off(.imageCache)])

    init() {
        manager.registry.coders.add(coder)
    }

    private func expectAlike(_ one: PixelBuffer, _ other: PixelBuffer, _ comment: String) throws {
        try #require(one.size == other.size, "\(comment)")
        let difference = LevelDifference(one.levels, other.levels, full: 255)
        #expect(difference.alpha <= 1, "\(comment)")
        #expect(difference.color <= 1, "\(comment)")
    }

    // MARK: Timeouts

    /// A clock that, once it is started, advances by a second at each reading.
    private final class SteppingTime: TimeSource {
        private let state = Lock((now: Duration.zero, step: Duration.zero))

        func start() { state.withLock { $0.step = .seconds(1) } }

        func now() -> Duration {
            state.withLock { state in
                state.now += state.step
                return state.now
            }
        }

        func wallTime() -> Double { 0 }
        func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {}
    }

    @Test func `the decode timeout applies to each frame`() async throws {
        let time = SteppingTime()
        let manager = ImageManager(context: [.off(.imageCache), .decodeTimeout(.seconds(1))], time: time)
        manager.registry.coders.add(coder)
        let frames = try #require(try await manager.decode(animation.file).frames)
        _ = try frames.frame(1, job: Job())
        time.start()
        let error = await imageError { try frames.frame(2, job: Job()) }
        #expect(error?.code == .timedOut)
        #expect(error?.advice == "raise the context value `decodeTimeout`")
    }

    @Test func `encoding all frames shares one decode timeout`() async throws {
        let time = SteppingTime()
        let manager = ImageManager(context: [.off(.imageCache), .decodeTimeout(.seconds(60))], time: time)
        manager.registry.coders.add(coder)
        let image = try await manager.decode(animation.file)
        let frames = try #require(image.frames)
        time.start()
        // Each frame takes some twenty readings of the clock, all frames more than sixty.
        for index in 0..<8 { _ = try frames.frame(index, job: Job()) }
        let error = await imageError { try await manager.encode(image, as: RawImageCoder.format) }
        #expect(error?.code == .timedOut)
        #expect(error?.advice == "raise the context value `decodeTimeout`")
        _ = try await manager.encode(image, as: RawImageCoder.format, context: [.encodeFirstFrameOnly])
        _ = try await manager.encode(image, as: RawImageCoder.format, context: [.decodeTimeout(.seconds(6000))])
    }

    // MARK: Frames

    @Test func `an animation is decoded up to its first frame, and other frames on demand`() async throws {
        let image = try await manager.decode(animation.file)
        let frames = try #require(image.frames)
        #expect(image.isAnimated)
        #expect(frames.frameCount == 8)
        #expect(frames.loopCount == 3)
        #expect((0..<8).map { frames.duration(ofFrame: $0) } == (0..<8).map { .milliseconds(20 + $0) })
        #expect(coder.decodeCount == 1)
        _ = try frames.frame(1, job: Job())
        #expect(coder.decodeCount == 2)
    }

    @Test func `a single requested frame is a still`() async throws {
        let expected = animation.pictures(isWide: false)
        for index in [0, 1, 5, 7] {
            let image = try await manager.decode(animation.file, context: [.frame(index)])
            #expect(image.frames == nil)
            #expect(image.pixels.seenLevels == expected[index])
        }
        let first = try await manager.decode(animation.file, context: [.firstFrameOnly])
        #expect(first.frames == nil)
        #expect(first.pixels.seenLevels == expected[0])
        #expect(try await manager.decode(animation.file, context: [.frame(2), .off(.frame)]).isAnimated)
    }

    @Test func `frame indices outside the animation are refused`() async throws {
        for index in [-1, 8, Int.max] {
            let error = await imageError { try await manager.decode(animation.file, context: [.frame(index)]) }
            #expect(error?.code == .noSuchFrame)
            #expect(error?.message == "frame \(index) does not exist: the frame count is 8")
        }
        #expect(coder.decodeCount == 0)
    }

    @Test func `an animation of one frame is decoded as a composed still`() async throws {
        var header = RawImageCoder.Header(width: 6, height: 4)
        header.isOpaque = false
        var frame = RawImageCoder.Frame(width: 2, height: 2)
        (frame.x, frame.y) = (3, 1)
        header.frames = [frame]
        let sample = SampleAnimation(header, seed: 4)
        let image = try await manager.decode(sample.file)
        #expect(image.frames == nil)
        #expect(image.size == PixelSize(6, 4))
        #expect(image.pixels.seenLevels == sample.pictures(isWide: false)[0])
    }

    @Test func `with preloadsFrames all frames are decoded at once`() async throws {
        let expected = animation.pictures(isWide: false)
        let image = try await manager.decode(animation.file, context: [.preloadsFrames])
        let frames = try #require(image.frames)
        #expect(coder.decodeCount == 8)
        for index in expected.indices {
            #expect(try frames.frame(index, job: Job()).seenLevels == expected[index])
            #expect(frames.duration(ofFrame: index) == .milliseconds(20 + index))
        }
        #expect(frames.loopCount == 3)
        #expect(coder.decodeCount == 8)
        #expect(image.byteCount == 8 * image.pixels.byteCount, "the bytes of the file have been released")
        let again = try image.preloadingFrames()
        #expect(again.isIdentical(to: image))
    }

    @Test func `preloading decodes all frames, unless its job is cancelled`() async throws {
        let image = try await manager.decode(animation.file)
        let job = Job()
        job.cancel()
        #expect(throws: ImageError.self) { try image.preloadingFrames(job: job) }
        let loaded = try image.preloadingFrames()
        #expect(loaded.frames is FrameList)
        #expect(loaded.attributes == image.attributes)
        let still = try await manager.decode(RawImageCoder.file(width: 3, height: 3))
        #expect(try still.preloadingFrames().isIdentical(to: still))
    }

    @Test func `a first frame that is cut off is shown in part if partial pictures are allowed`() async throws {
        let sample = SampleAnimation(
            Array(repeating: (.source, .keep), count: 3), isOpaque: true, seed: 2, isFull: { _ in true })
        let rowBytes = 13 * 4
        let file = sample.file.dropLast(2 * 9 * rowBytes + 4 * rowBytes)
        let refused = await imageError { try await manager.decode(file) }
        #expect(refused?.code == .badData)
        #expect(refused?.message.hasPrefix("frame 0: ") == true)
        let image = try await manager.decode(file, context: [.allowPartial])
        #expect(image.attributes.isPartial)
        let expected = sample.pictures(isWide: false)[0]
        let known = 5 * rowBytes
        #expect(Array(image.pixels.levels[..<known]) == Array(expected[..<known]))
        #expect(image.pixels.levels[known...].allSatisfy { $0 == 0 })
        let error = #expect(throws: ImageError.self) { try image.frames?.frame(1, job: Job()) }
        #expect(error?.code == .badData)
    }

    @Test func `a later partial frame is drawn over the canvas below if partial pictures are allowed`() async throws {
        var header = RawImageCoder.Header(width: 13, height: 9)
        header.isOpaque = false
        var frame = RawImageCoder.Frame(width: 5, height: 4)
        (frame.x, frame.y) = (3, 2)
        header.frames = [RawImageCoder.Frame(width: 13, height: 9), frame]
        let sample = SampleAnimation(header, seed: 7)
        let file = sample.file.dropLast(4)
        let expected = sample.pictures(isWide: false)
        let image = try await manager.decode(file, context: [.allowPartial, .frame(1)])
        #expect(image.attributes.isPartial)
        let missing = (frame.y + frame.height - 1) * 13
        for pixel in 0..<13 * 9 {
            let isMissing = (missing + frame.x..<missing + frame.x + frame.width).contains(pixel)
            let levels = expected[isMissing ? 0 : 1][pixel * 4..<pixel * 4 + 4]
            #expect(image.pixels.seenLevels[pixel * 4..<pixel * 4 + 4] == levels, "pixel \(pixel)")
        }
    }

    // MARK: Features of still images

    @Test(arguments: Orientation.allCases)
    func `each frame is turned upright`(orientation: Orientation) async throws {
        var header = animation.header
        header.orientation = orientation.rawValue
        let turned = SampleAnimation(header, seed: 5)
        let expected = turned.pictures(isWide: false)
        let image = try await manager.decode(turned.file)
        let frames = try #require(image.frames)
        let stored = PixelSize(13, 9)
        for index in [0, 3, 7] {
            let pixels = try frames.frame(index, job: Job())
            #expect(pixels.size == orientation.displaySize(of: stored))
            let levels = pixels.seenLevels
            for (x, y) in [(0, 0), (12, 0), (0, 8), (12, 8), (5, 2), (7, 6)] {
                let place = orientation.displayPosition(x: x, y: y, in: stored)
                let shown = (place.y * pixels.width + place.x) * 4
                let source = (y * 13 + x) * 4
                #expect(levels[shown..<shown + 4] == expected[index][source..<source + 4], "frame \(index)")
            }
        }
        let kept = try await manager.decode(turned.file, context: [.keepsOrientation])
        #expect(try kept.frames?.frame(3, job: Job()).seenLevels == expected[3])
    }

    @Test(arguments: [[.thumbnailPixelSize(6, 6)], [.scaleDownLimitBytes(1000)]] as [ImageContext])
    func `each frame is resized like the first`(context: ImageContext) async throws {
        let large = try #require(try await manager.decode(animation.file).frames)
        let image = try await manager.decode(animation.file, context: context)
        #expect(image.width < 8)
        #expect(image.attributes.originalSize == PixelSize(13, 9))
        let frames = try #require(image.frames)
        for index in 0..<8 {
            let whole = try large.frame(index, job: Job())
            try expectAlike(frames.frame(index, job: Job()), whole.resampled(to: image.size), "frame \(index)")
        }
    }

    /// A color converter that converts any profile to sRGB by inverting it.
    private struct Inverter: ColorConverter, RowConverter {
        func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? { self }

        func convert(_ row: inout MutableRawSpan) {
            row.withUnsafeMutableBytes { row in
                for index in row.indices where index % 4 != 3 { row[index] = 255 - row[index] }
            }
        }
    }

    @Test func `frames are composed in the file's colors and converted afterward`() async throws {
        var header = animation.header
        header.profile = Data("profile".utf8)
        let sample = SampleAnimation(header, seed: 9)
        manager.registry.colorConverters.add(Inverter())
        let image = try await manager.decode(sample.file)
        #expect(image.attributes.profile == .sRGB)
        let frames = try #require(image.frames)
        for (index, picture) in sample.pictures(isWide: false).enumerated() {
            let inverted = picture.enumerated().map { $0 % 4 == 3 ? $1 : 255 - $1 }
            #expect(try frames.frame(index, job: Job()).seenLevels == SampleAnimation.seen(inverted), "frame \(index)")
        }
        let kept = try await manager.decode(sample.file, context: [.keepsProfile])
        let unchanged = try kept.frames?.frame(7, job: Job()).seenLevels
        #expect(unchanged == sample.pictures(isWide: false)[7])
    }

    @Test func `metadata is attached to the image on request`() async throws {
        var header = animation.header
        (header.exif, header.xmp) = (Data("exif".utf8), Data("xmp".utf8))
        let file = SampleAnimation(header, seed: 3).file
        #expect(try await manager.decode(file).attributes.metadata.isEmpty)
        let image = try await manager.decode(file, context: [.keepsMetadata])
        #expect(image.attributes.metadata == ImageMetadata(exif: Data("exif".utf8), xmp: Data("xmp".utf8)))
    }

    @Test func `a preview is a still of the first or the requested frame`() throws {
        let expected = animation.pictures(isWide: false)
        let file = animation.file
        for (context, index) in [([], 0), ([.frame(3)], 3)] as [(ImageContext, Int)] {
            let options = manager.pipeline.coders.decodeOptions(ResolvedContext(context))
            let head = ImageBytes(file.prefix(64))
            let decoder = try #require(try manager.pipeline.coders.progressiveDecoder(for: head, options: options))
            try decoder.append(file.bytes, isLast: false)
            let preview = try manager.pipeline.coders.preview(by: decoder, options: options, job: Job())
            #expect(preview.frames == nil)
            #expect(preview.pixels.seenLevels == expected[index])
        }
    }

    // MARK: Transforming and encoding

    @Test func `a transformer runs at once on the first frame, and on others on demand`()
        async throws
    {
        let fake = FakeTransformer { image in
            #expect(image.frames == nil, "the transformer gets stills only")
            #expect(image.attributes.originalSize == PixelSize(13, 9))
            return image.replacing(pixels: try image.pixels.upright(from: .down))
        }
        let image = try await manager.decode(animation.file, context: [.transformer(fake)])
        let frames = try #require(image.frames)
        #expect(fake.callCount == 1)
        #expect(frames.frameCount == 8)
        #expect(frames.loopCount == 3)
        #expect(frames.duration(ofFrame: 4) == .milliseconds(24))
        let plain = try #require(try await manager.decode(animation.file).frames)
        #expect(frames.byteCount == plain.byteCount + image.pixels.byteCount)
        for index in [5, 0, 7] {
            let expected = try plain.frame(index, job: Job()).upright(from: .down)
            #expect(try frames.frame(index, job: Job()).levels == expected.levels, "frame \(index)")
        }
        #expect(fake.callCount == 3)
    }

    @Test func `transformers run in order on each frame, and on all frames at once with preloadsFrames`() async throws {
        let steps: [any Transformer] = [FakeTransformer(), .resize(width: 5, height: 5), FakeTransformer(key: "other")]
        let image = try await manager.decode(animation.file, context: [.transformers(steps), .preloadsFrames])
        #expect(image.frames is FrameList)
        #expect((steps[2] as? FakeTransformer)?.callCount == 8)
        let plain = try #require(try await manager.decode(animation.file).frames)
        let expected = try plain.frame(6, job: Job()).resampled(to: PixelSize(5, 4))
        #expect(try image.frames?.frame(6, job: Job()).levels == expected.levels)
    }

    @Test func `animations can be left as they are, while stills are transformed`() async throws {
        let plain = try await manager.decode(animation.file)
        let fake = FakeTransformer { image in image.replacing(pixels: try image.pixels.upright(from: .down)) }
        let context: ImageContext = [
            .transformers([fake, .resize(width: 5, height: 5)]), .transformsAnimations(false),
        ]
        let image = try await manager.decode(animation.file, context: context)
        #expect(fake.callCount == 0)
        #expect(image.size == plain.size)
        #expect(image.frames?.frameCount == 8)
        let still = try await manager.decode(animation.file, context: context.merging([.frame(2)]))
        #expect(still.size == PixelSize(5, 4))
        // A limit on the size of a file applies to animations all the same.
        let file = try await manager.encode(
            image, as: RawImageCoder.format, context: context.merging([.encodeMaxPixelSize(6, 6)]))
        let reduced = try await manager.decode(file)
        #expect(reduced.size == PixelSize(6, 5))
    }

    @Test func `a transformer that returns frames of different sizes fails`() async throws {
        let calls = Lock(0)
        let growing = FakeTransformer { image in
            let call = calls.withLock { count in
                count += 1
                return count
            }
            return image.replacing(pixels: try image.pixels.resampled(to: PixelSize(call, 1)))
        }
        let image = try await manager.decode(animation.file, context: [.transformer(growing)])
        let error = #expect(throws: ImageError.self) { try image.frames?.frame(2, job: Job()) }
        #expect(error?.code == .transformFailed)
        #expect(error?.message.hasPrefix("frame 2 became 2x1") == true)
    }

    @Test func `a transformer's error in a later frame is thrown by that frame`() async throws {
        let plain = try await manager.decode(animation.file)
        let failing = FakeTransformer { image in
            guard image.pixels.levels == plain.pixels.levels else {
                throw ImageError(.transformFailed, stage: .transform, message: "not this one")
            }
            return image
        }
        let image = try failing.apply(to: plain, job: Job(), values: .builtIn)
        let error = #expect(throws: ImageError.self) { try image.frames?.frame(1, job: Job()) }
        #expect(error?.code == .transformFailed)
        #expect(error?.component == "fake")
    }

    @Test func `an animation from a loader is resized frame by frame, or reduced to a single frame`() async throws {
        let plain = try await manager.decode(animation.file)
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .image(plain))
        let small = try await bench.manager.image(for: bench.request([.thumbnailPixelSize(6, 6)]))
        let frames = try #require(small.frames)
        #expect(small.size == PixelSize(6, 5))
        let source = try #require(plain.frames)
        for index in [0, 4, 7] {
            let expected = try source.frame(index, job: Job()).resampled(to: small.size)
            #expect(try frames.frame(index, job: Job()).levels == expected.levels, "frame \(index)")
        }
        let third = try await bench.manager.image(for: bench.request([.frame(2)]))
        #expect(third.frames == nil)
        #expect(try third.pixels.levels == source.frame(2, job: Job()).levels)
        let both = try await bench.manager.image(for: bench.request([.frame(2), .thumbnailPixelSize(6, 6)]))
        #expect(both.frames == nil)
        #expect(both.size == PixelSize(6, 5))
        let error = await imageError { try await bench.manager.image(for: bench.request([.frame(8)])) }
        #expect(error?.code == .noSuchFrame)
        let whole = try await bench.manager.image(for: bench.request())
        #expect(whole.isIdentical(to: plain))
    }

    @Test func `an animation that is left as it is comes from the decoded original, and is not stored again`()
        async throws
    {
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(animation.file))
        let fake = FakeTransformer()
        let request = bench.request([.transformer(fake), .transformsAnimations(false), .waitStoreCache])
        let image = try await bench.manager.image(for: request)
        #expect(image.isAnimated)
        #expect(fake.callCount == 0)
        let original = try await bench.manager.cacheKey(for: bench.request())
        #expect(try bench.data.entry(for: original) != nil)
        let variant = try await bench.manager.cacheKey(for: request)
        #expect(variant != original)
        #expect(try bench.data.entry(for: variant) == nil)
        let still = try await bench.manager.image(
            for: bench.request([.transformer(fake), .transformsAnimations(false), .frame(3)]))
        #expect(!still.isAnimated)
        #expect(fake.callCount == 1)
    }

    @Test func `the first frame of an animation in memory can be requested as a still`() async throws {
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(animation.file))
        let whole = try await bench.manager.image(for: bench.request())
        #expect(whole.isAnimated)
        let first = try await bench.manager.response(
            for: bench.request([.firstFrameOnly, .originalQueryCacheType(.all)]))
        #expect(first.source == .memory)
        #expect(first.image.frames == nil)
        #expect(first.image.pixels.seenLevels == animation.pictures(isWide: false)[0])
        // The animation is still cached, and was not decoded again.
        let again = try #require(bench.manager.cachedResponse(for: bench.request())?.image)
        #expect(again.isIdentical(to: whole))
        #expect(bench.loader.loadCount == 1)
        #expect(bench.coder.decodeCount == 1)
    }

    @Test(arguments: [false, true])
    func `an animation in memory is reused without decoding it again`(isPreloaded: Bool) async throws {
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(animation.file))
        let expected = animation.pictures(isWide: false)
        let request = bench.request(isPreloaded ? [.preloadsFrames] : [])
        let image = try await bench.manager.image(for: request)
        #expect(bench.coder.decodeCount == (isPreloaded ? 8 : 1))
        // After one playback, each frame has been decoded once.
        let frames = try #require(image.frames)
        for index in expected.indices {
            #expect(try frames.frame(index, job: Job()).seenLevels == expected[index], "frame \(index)")
        }
        #expect(bench.coder.decodeCount == 8)
        // The identical image is returned again, with its first frame decoded.
        let again = try await bench.manager.response(for: request)
        #expect(again.source == .memory)
        #expect(again.image.isIdentical(to: image))
        #expect(try again.image.frames?.frame(0, job: Job()).seenLevels == expected[0])
        #expect(bench.coder.decodeCount == 8)
        guard isPreloaded else { return }
        // The others are not decoded again either, nor if all frames are preloaded into memory.
        for index in expected.indices {
            #expect(try again.image.frames?.frame(index, job: Job()).seenLevels == expected[index], "frame \(index)")
        }
        #expect(try again.image.preloadingFrames().isIdentical(to: image))
        #expect(bench.coder.decodeCount == 8)
    }

    @Test func `a written animation is read back frame by frame`() async throws {
        let image = try await manager.decode(animation.file)
        let file = try await manager.encode(image, as: RawImageCoder.format)
        let info = try await manager.info(of: file)
        #expect(info.durations == (0..<8).map { .milliseconds(20 + $0) })
        #expect(info.loopCount == 3)
        let again = try #require(try await manager.decode(file).frames)
        for (index, expected) in animation.pictures(isWide: false).enumerated() {
            #expect(try again.frame(index, job: Job()).seenLevels == expected, "frame \(index)")
        }
    }

    // MARK: Retained objects

    @Test func `an image with undecoded frames retains no cache`() throws {
        weak var kept: TieredCache?
        func makeImage() throws -> Image {
            let cache = TieredCache()
            kept = cache
            let values = ResolvedContext([.imageCache(cache), .originalImageCache(cache)])
            let image = try manager.pipeline.coders.decode(ImageBytes(animation.file), context: values, job: Job())
                .image
            return try FakeTransformer().apply(to: image, job: Job(), values: values)
        }
        let image = try makeImage()
        #expect(kept == nil)
        #expect(try image.frames?.frame(2, job: Job()) != nil)
    }

    /// A delegate that retains the program's state.
    private final class Screen: ImageManagerDelegate {}

    @Test func `an image with undecoded frames retains no delegate, placeholder or queue`() throws {
        weak var keptDelegate: Screen?
        weak var keptPlaceholder: Image.Storage?
        weak var keptQueue: DispatchQueue?
        func makeImage() throws -> Image {
            let (delegate, queue) = (Screen(), DispatchQueue(label: "delivery"))
            let placeholder = Image(pixels: try PixelBuffer.noise(PixelSize(4, 3), seed: 1))
            (keptDelegate, keptPlaceholder, keptQueue) = (delegate, placeholder.storage, queue)
            let values = ResolvedContext([
                .delegate(delegate), .placeholders([.image(placeholder)]), .delivery(.queue(queue)),
            ])
            let image = try manager.pipeline.coders.decode(ImageBytes(animation.file), context: values, job: Job())
                .image
            return try FakeTransformer().apply(to: image, job: Job(), values: values)
        }
        let image = try makeImage()
        #expect(keptDelegate == nil)
        #expect(keptPlaceholder == nil)
        #expect(keptQueue == nil)
        #expect(try image.frames?.frame(2, job: Job()) != nil)
    }

    @Test(arguments: [true, false])
    func `a plugin decides whether images keep its component`(isKept: Bool) throws {
        final class Palette: Sendable {}
        let key = ContextKey<Palette?>(component: "palette", isKeptByImages: isKept, summary: "A palette.")
        let values = ResolvedContext([.set(key, to: Palette())]).forFrames
        #expect((values[key] != nil) == isKept)
    }

    @Test func `an image with undecoded frames has its file in memory, and a still does not`() throws {
        func isRead(_ file: Data) throws -> Bool {
            let bytes = ImageBytes(ScriptedSource(file))
            let values = ResolvedContext([.imageCoder(PiecewiseCoder())])
            _ = try manager.pipeline.coders.decode(bytes, context: values, job: Job())
            return !bytes.isReadWhenAsked
        }
        #expect(try isRead(animation.file))
        #expect(try !isRead(RawImageCoder.file(width: 4, height: 4)))
    }

    /// A coder that reads from front to back, and never the file as a whole.
    private struct PiecewiseCoder: ImageCoder {
        private let coder = RawImageCoder()
        var formats: [ImageFormat] { coder.formats }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            var data = Data()
            while let chunk = bytes.chunk(at: data.count) { data.append(chunk) }
            return try coder.decoder(for: ImageBytes(data), options: options)
        }
    }
}
