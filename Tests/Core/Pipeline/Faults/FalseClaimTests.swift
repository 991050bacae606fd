import CalotypeTesting
import Testing

@testable import Calotype

/// False claims about pixels by code outside the library.
@Suite(.timeLimit(.minutes(5)))
struct FalseClaimTests {
    /// Returns pixels of which the first is red, the last is transparent, and the others are gray. If `claim` is true,
    /// their layout falsely claims that all of them are opaque and gray.
    private static func pixels(_ size: PixelSize = PixelSize(8, 6), saying claim: Bool) throws -> PixelBuffer {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<size.width {
                    var color = SIMD4<UInt8>(90, 90, 90, 255)
                    if x == 0, y == 0 { color = SIMD4(255, 0, 0, 255) }
                    if x == size.width - 1, y == size.height - 1 { color = SIMD4() }
                    row.storeBytes(of: color, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
                }
            }
        }
        return builder.finish(isOpaque: claim, isGray: claim)
    }

    private func claims(in listener: RecordingListener) -> [ImageError] {
        listener.issues.filter { $0.code == .falseClaim }
    }

    @Test(arguments: [false, true])
    func `a transformed image is the same when delivered and from disk`(isClaimed: Bool) async throws {
        let bench = Bench()
        let step = FakeTransformer(key: "mark") { image in
            image.replacing(pixels: try Self.pixels(image.size, saying: isClaimed))
        }
        let request = bench.request([.transformer(step)])
        for source in [ImageResponse.Source.loader, .disk] {
            bench.memory.clear()
            let response = try await bench.manager.response(for: request)
            #expect(response.source == source)
            #expect(!response.image.pixels.isOpaque)
            #expect(!response.image.pixels.isGray)
            #expect(response.image.pixels.color(x: 0, y: 0) == PixelColor(red: 1, green: 0, blue: 0))
            #expect(response.image.pixels.color(x: 39, y: 29).alpha == 0)
        }
        await bench.manager.waitForEvents()
        let claims = claims(in: bench.listener)
        #expect(claims.count == (isClaimed ? 1 : 0))
        #expect(claims.allSatisfy { $0.component == "mark" && $0.stage == .transform })
        #expect(claims.allSatisfy { $0.message.contains("opaque and gray") && $0.advice?.contains("finish") == true })
    }

    @Test func `true flags are kept`() async throws {
        let bench = Bench()
        let step = FakeTransformer { image in
            let builder = try PixelBufferBuilder(layout: image.pixels.layout)
            return image.replacing(pixels: builder.finish(isGray: true))
        }
        let image = try await bench.manager.image(for: bench.request([.transformer(step)]))
        #expect(image.pixels.isGray)
        #expect(!image.pixels.isOpaque)
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).isEmpty)
    }

    @Test func `the flags of a transformed animation are checked frame by frame`() async throws {
        var header = RawImageCoder.Header(width: 8, height: 6)
        header.frameCount = 3
        let file = RawImageCoder.file(header) { x, y, frame in SIMD4(UInt8(x), UInt8(y), UInt8(frame), 255) }
        let bench = Bench()
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(file))
        let step = FakeTransformer { $0.replacing(pixels: try Self.pixels($0.size, saying: true)) }
        let image = try await bench.manager.image(for: bench.request([.transformer(step)]))
        let frames = try #require(image.frames)
        for index in 0..<3 { #expect(try !frames.frame(index, job: Job()).isOpaque) }
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).count == 1)
    }

    @Test func `the flags of a loader's pixels are checked before they are delivered`() async throws {
        let bench = Bench()
        let image = Image(pixels: try Self.pixels(saying: true))
        bench.loader.answer(Bench.url.absoluteString, with: .image(image))
        let shown = try await bench.manager.image(for: bench.request())
        #expect(!shown.pixels.isOpaque)
        #expect(bench.manager.cachedResponse(for: bench.request())?.image.pixels.isOpaque == false)
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.stage) == [.load])
    }

    @Test func `the flags of an image stored directly are checked first`() async throws {
        let bench = Bench()
        let image = Image(pixels: try Self.pixels(saying: true))
        try await bench.manager.store(image, for: bench.request())
        for _ in 0..<2 {
            let kept = try await bench.manager.image(for: bench.request())
            #expect(!kept.pixels.isOpaque)
            #expect(!kept.pixels.isGray)
            bench.memory.clear()
        }
        #expect(bench.loader.loadCount == 0)
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.stage) == [.store])
    }

    @Test func `the flags of all frames of a directly stored animation are checked`() async throws {
        let bench = Bench()
        let pixels = try Self.pixels(saying: true)
        let frames = FrameList([(pixels, .milliseconds(50)), (pixels, .milliseconds(50))])
        try await bench.manager.store(Image(pixels: pixels, frames: frames), for: bench.request(), in: .memory)
        let kept = try await bench.manager.image(for: bench.request())
        #expect(!kept.pixels.isOpaque)
        for index in 0..<2 {
            let frame = try #require(kept.frames).frame(index, job: Job())
            #expect(!frame.isOpaque, "frame \(index)")
            #expect(!frame.isGray, "frame \(index)")
        }
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.stage) == [.store])
    }

    @Test func `the flags of an image and its frames are checked before encoding`() async throws {
        let bench = Bench()
        let pixels = try Self.pixels(saying: true)
        let frames = FrameList([(pixels, .milliseconds(50)), (pixels, .milliseconds(50))])
        let coder = RecordingCoder([RecordingCoder.lossless], writesAnimations: true)
        bench.manager.registry.coders.add(coder)
        _ = try await bench.manager.encode(Image(pixels: pixels, frames: frames), as: RecordingCoder.lossless)
        let given = try #require(coder.calls.first?.image)
        #expect(!given.pixels.isOpaque)
        for index in 0..<2 { #expect(try given.frames?.frame(index, job: Job()).isOpaque == false) }
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.stage) == [.encode])
    }

    // MARK: Coders

    /// Returns a bench whose coder falsely declares its rows to be opaque.
    private func lyingBench(_ frames: [FrameInfo] = [], writer: RecordingCoder) throws -> Bench {
        let bench = Bench()
        let pixels = try Self.pixels(PixelSize(16, 12), saying: true)
        bench.manager.registry.coders.add(ScriptedCoder(conduct: .rows, pixels: pixels, frames: frames))
        bench.manager.registry.coders.add(writer)
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(ScriptedCoder.file))
        return bench
    }

    @Test func `a coder's flags are checked before the format of a variant is chosen`() async throws {
        let writer = RecordingCoder([.jpeg, RecordingCoder.lossless])
        let bench = try lyingBench(writer: writer)
        _ = try await bench.manager.image(for: bench.request([.keepsOrientation]))
        #expect(writer.calls.map(\.format) == [RecordingCoder.lossless])
        #expect(writer.calls.allSatisfy { !$0.image.pixels.isOpaque && !$0.image.pixels.isGray })
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.stage) == [.store])
    }

    /// A serializer that records images, and leaves their encoding to the default rule.
    private final class NotingSerializer: CacheSerializer {
        private let noted = Lock<[Image]>([])

        var images: [Image] { noted.withLock { $0 } }

        func data(for serialization: Serialization) throws -> Data? {
            if let image = serialization.image { noted.withLock { $0.append(image) } }
            return nil
        }
    }

    @Test(arguments: [false, true])
    func `a coder's flags are checked once, before the serializer runs`(isVariant: Bool) async throws {
        let bench = try lyingBench(writer: RecordingCoder([.jpeg, RecordingCoder.lossless]))
        let serializer = NotingSerializer()
        let context: ImageContext = isVariant ? [.keepsOrientation] : []
        _ = try await bench.manager.image(for: bench.request(context.merging([.cacheSerializer(serializer)])))
        #expect(serializer.images.count == 1)
        #expect(serializer.images.allSatisfy { !$0.pixels.isOpaque && !$0.pixels.isGray })
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.stage) == [.store])
    }

    @Test func `a coder's flags are checked when encoding, but not for display`() async throws {
        let writer = RecordingCoder([RecordingCoder.lossless], writesAnimations: true)
        let frame = FrameInfo(duration: .milliseconds(50), region: PixelRegion(size: PixelSize(16, 12)))
        let bench = try lyingBench([frame, frame], writer: writer)
        let image = try await bench.manager.image(for: bench.request())
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).isEmpty)
        _ = try await bench.manager.encode(image, as: RecordingCoder.lossless)
        let given = try #require(writer.calls.first?.image)
        #expect(!given.pixels.isOpaque)
        for index in 0..<2 { #expect(try given.frames?.frame(index, job: Job()).isOpaque == false) }
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.stage) == [.encode])
    }

    @Test func `a transformer is not blamed for a coder's flags`() async throws {
        let bench = try lyingBench(writer: RecordingCoder([RecordingCoder.lossless]))
        let image = try await bench.manager.image(for: bench.request([.transformer(FakeTransformer(key: "mark"))]))
        #expect(!image.pixels.isOpaque)
        await bench.manager.waitForEvents()
        #expect(claims(in: bench.listener).map(\.component) == [nil])
    }

    // MARK: Frames in memory

    /// Returns an animation with a false claim about its second frame.
    private static func animation() throws -> Image {
        let (first, second) = (try pixels(saying: false), try pixels(saying: true))
        return Image(
            pixels: first, frames: FrameList([(first, .milliseconds(50)), (second, .milliseconds(50))]))
    }

    @Test(arguments: [false, true])
    func `the flags of later frames from a loader or a store are checked on demand`(
        isStored: Bool
    ) async throws {
        let bench = Bench()
        let image = try Self.animation()
        if isStored {
            try await bench.manager.store(image, for: bench.request(), in: .memory)
        } else {
            bench.loader.answer(Bench.url.absoluteString, with: .image(image))
        }
        for source in [isStored ? ImageResponse.Source.memory : .loader, .memory] {
            let response = try await bench.manager.response(for: bench.request())
            #expect(response.source == source)
            #expect(try response.image.frames?.frame(1, job: Job()).isOpaque == false)
            #expect(response.image.byteCount == image.byteCount)
        }
    }
}
