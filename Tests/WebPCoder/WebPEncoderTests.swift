#if WEBP
import Calotype
import CalotypeTesting
import CalotypeWebP
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WebPEncoderTests {
    private let manager = ImageManager(plugins: [.webp], context: [.off(.imageCache)])

    /// Returns a picture with edges, gradients and noise, whose alpha ranges from transparent to opaque.
    private func picture(
        _ size: PixelSize = PixelSize(65, 47), _ format: PixelFormat = .rgba8, isOpaque: Bool = false
    ) throws -> Image {
        var random = SplitMix64(seed: 1)
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let noise = UInt8.random(in: 0...8, using: &random)
                samples += [
                    UInt8(x * 240 / size.width) + noise, UInt8(y * 240 / size.height) + noise,
                    (x / 8 + y / 8) % 2 == 0 ? 40 : 200, isOpaque ? 255 : UInt8(x * 255 / (size.width - 1)),
                ]
            }
        }
        return try Image.of(samples, size, format: format, isOpaque: isOpaque)
    }

    private func options(_ text: String) throws -> ImageContext {
        [.webpOptions(try #require(WebPOptions(contextText: text)))]
    }

    /// Returns the peak signal-to-noise ratio of all samples in decibels.
    private func quality(_ data: Data, of image: Image) async throws -> Double {
        let made = try await manager.decode(data)
        let difference = SampleDifference(made.pixels.samples, image.pixels.samples)
        return 10 * log10(255 * 255 / max(difference.meanSquare, 1e-9))
    }

    // MARK: Still images

    @Test(arguments: [PixelFormat.rgba8, .rgba16, .rgbaFloat])
    func `a lossless file keeps every 8-bit pixel`(_ format: PixelFormat) async throws {
        let image = try picture(PixelSize(65, 47), format)
        let data = try await manager.encode(image, as: .webp, context: options("lossless,exact"))
        let made = try await manager.decode(data)
        #expect(SampleDifference(made.pixels.samples, try picture().pixels.samples) == .zero)
        #expect(WebPChunk.all(of: data).map(\.name) == ["VP8L"])
        #expect(try await manager.info(of: data).hasAlpha)
    }

    @Test func `the preset provides values that are not set`() async throws {
        let image = try picture(isOpaque: true)
        func file(_ text: String) async throws -> Data {
            try await manager.encode(image, as: .webp, context: options(text))
        }
        // Source: libwebp, WebPConfigInitInternal in config_enc.c.
        let preset = try await file("preset=picture")
        #expect(preset == (try await file("snsStrength=80,filterSharpness=4,filterStrength=35")))
        #expect(preset != (try await file("")))
        #expect(
            (try await file("preset=picture,filterStrength=0"))
                == (try await file("snsStrength=80,filterSharpness=4,filterStrength=0")))
    }

    @Test func `the cost of an animation is its frames in memory`() async throws {
        let size = PixelSize(60, 40)
        let frames = try (0..<16).map { index in
            let samples = (0..<size.area).flatMap { [UInt8(index * 15), UInt8($0 % 60 * 4), 90, 255] as [UInt8] }
            return (pixels: try Image.of(samples, size).pixels, duration: Duration.milliseconds(80))
        }
        let data = try await manager.encode(Image(pixels: frames[0].pixels, frames: FrameList(frames)), as: .webp)
        let image = try await manager.decode(data, context: [.preloadsFrames])
        #expect(image.frames?.frameCount == 16)
        #expect(image.byteCount == 16 * image.pixels.byteCount)
    }

    @Test func `a higher quality is more exact and longer`() async throws {
        let image = try picture(isOpaque: true)
        var last = (length: 0, quality: 0.0)
        for percent in [5, 30, 60, 90, 100] {
            let data = try await manager.encode(
                image, as: .webp, context: [.compressionQuality(Double(percent) / 100)])
            let quality = try await quality(data, of: image)
            #expect(data.count > last.length)
            #expect(quality > last.quality)
            last = (data.count, quality)
            #expect(WebPChunk.all(of: data).map(\.name) == ["VP8 "])
        }
        #expect(last.quality > 25)
    }

    @Test func `a lossy file keeps alpha exactly`() async throws {
        let image = try picture()
        let data = try await manager.encode(image, as: .webp, context: [.compressionQuality(0.3)])
        #expect(WebPChunk.all(of: data).map(\.name) == ["VP8X", "ALPH", "VP8 "])
        let made = try await manager.decode(data)
        let (samples, expected) = (made.pixels.samples, image.pixels.samples)
        #expect(stride(from: 3, to: samples.count, by: 4).allSatisfy { samples[$0] == expected[$0] })
    }

    @Test func `a fully transparent picture can be written`() async throws {
        let clear = try Image.of([UInt8](repeating: 0, count: 64 * 64 * 4), PixelSize(64, 64), isOpaque: false)
        for text in ["", "lossless"] {
            let data = try await manager.encode(clear, as: .webp, context: options(text))
            let made = try await manager.decode(data)
            #expect(made.pixels.samples.allSatisfy { $0 == 0 } || !text.isEmpty)
            #expect(stride(from: 3, to: 64 * 64 * 4, by: 4).allSatisfy { made.pixels.samples[$0] == 0 })
        }
    }

    @Test func `a file stays within the byte limit`() async throws {
        let image = try picture(PixelSize(256, 192), isOpaque: true)
        let free = try await manager.encode(image, as: .webp)
        #expect(free.count > 4096)
        let data = try await manager.encode(image, as: .webp, context: [.encodeMaxFileBytes(4096)])
        #expect(data.count <= 4096)
        #expect(data.count > 2048)
    }

    @Test func `a target size is approximated`() async throws {
        let image = try picture(PixelSize(256, 192), isOpaque: true)
        let data = try await manager.encode(image, as: .webp, context: options("targetSize=6000,passes=6"))
        #expect((4500...7500).contains(data.count))
    }

    @Test func `a picture larger than the format allows is refused, and the error says so`() async throws {
        let image = try Image.of([UInt8](repeating: 255, count: 16_384 * 4), PixelSize(16_384, 1))
        let error = await #expect(throws: ImageError.self) { try await manager.encode(image, as: .webp) }
        #expect(error?.code == .encodeFailed)
        #expect(error?.message.contains("16383") == true)
        _ = try await manager.encode(
            Image.of([UInt8](repeating: 255, count: 16_383 * 4), PixelSize(16_383, 1)), as: .webp)
    }

    @Test func `encoding can be cancelled`() throws {
        let encoder = try #require(WebPCoder().encoder(for: .webp))
        let time = ManualTime()
        let job = Job(timeout: .seconds(1), time: time)
        time.advance(by: .seconds(2))
        for text in ["", "lossless"] {
            let options = EncodeOptions(ResolvedContext(try options(text)))
            let error = #expect(throws: ImageError.self) {
                try encoder.encode(try picture(), options: options, job: job)
            }
            #expect(error?.code == .timedOut)
        }
    }

    // MARK: Options

    @Test(arguments: [
        "", "lossless", "preset=photo,method=6,sharpYUV", "nearLossless=40", "exact=false", "targetPSNR=42.5",
        "alphaQuality=10,alphaFiltering=2,alphaCompression=false", "passes=6,segments=2,snsStrength=80",
        "filterStrength=20,filterSharpness=3,strongFilter=false,autoFilter", "preprocessing=2,partitions=3",
        "partitionLimit=50,emulatesJPEGSize,multithreading,lowMemory", "keyFrameDistance=9-17",
        "minimizesSize,mixesFrames", "targetSize=9000",
    ])
    func `options are written as text and read back`(_ text: String) throws {
        let options = try #require(WebPOptions(contextText: text))
        #expect(WebPOptions(contextText: options.contextText) == options)
        let names = { (text: String) in Set(text.split(separator: ",")) }
        #expect(names(options.contextText) == names(text))
    }

    @Test(arguments: [
        "method", "method=7", "method=fast", "method=-1", "lossless=2", "bogus", "bogus=1", ",", "method=4,",
        "preset", "preset=big", "keyFrameDistance=5", "keyFrameDistance=9-3", "targetPSNR=x", "passes=0", "=",
    ])
    func `an invalid option is rejected`(_ text: String) {
        #expect(WebPOptions(contextText: text) == nil)
    }

    /// Each option changes the file of a picture that it is relevant to.
    @Test(arguments: [
        "preset=text", "lossless", "nearLossless=20", "method=0", "alphaQuality=0",
        "alphaCompression=false", "sharpYUV", "targetSize=2000", "targetPSNR=50", "passes=10,targetSize=2000",
        "segments=1", "snsStrength=0", "filterStrength=0", "filterSharpness=7", "strongFilter=false",
        "preprocessing=1", "preprocessing=2", "partitions=2,method=2", "emulatesJPEGSize", "autoFilter",
    ])
    func `an option changes the file`(_ text: String) async throws {
        let image = try picture(PixelSize(128, 96))
        let context: ImageContext = [.compressionQuality(0.7)]
        let plain = try await manager.encode(image, as: .webp, context: context)
        let made = try await manager.encode(image, as: .webp, context: context.merging(options(text)))
        #expect(plain != made)
        #expect(try await manager.decode(made).size == image.size)
    }

    /// The options of lossless files, of alpha and of the format's limits.
    @Test(arguments: [
        ("lossless,exact", "lossless"), ("alphaFiltering=0", ""),
        ("partitionLimit=100", ""),
    ])
    func `an option changes the file of a picture with alpha`(_ text: String, without: String) async throws {
        let size = PixelSize(128, 96)
        let samples = (0..<size.area).flatMap { index -> [UInt8] in
            let (x, y) = (index % size.width, index / size.width)
            // Colors with noise, and alpha that rises from the transparent middle.
            let noise = UInt8(truncatingIfNeeded: index &* 7_919 >> 5)
            let alpha = ((x - 64) * (x - 64) + (y - 48) * (y - 48)) / 30
            return [noise, UInt8(x * 2), UInt8(y * 2) ^ noise, UInt8(alpha)]
        }
        let image = try Image.of(samples, size, isOpaque: false)
        let plain = try await manager.encode(image, as: .webp, context: options(without))
        let made = try await manager.encode(image, as: .webp, context: options(text))
        #expect(plain != made)
        #expect(try await manager.decode(made).size == image.size)
    }

    @Test(arguments: ["minimizesSize", "mixesFrames"])
    func `an option changes the file of an animation`(_ text: String) async throws {
        let image = try animation(9)
        let plain = try await manager.encode(image, as: .webp)
        let made = try await manager.encode(image, as: .webp, context: options(text))
        #expect(plain != made)
        #expect(try await manager.info(of: made).frameCount == 9)
    }

    @Test func `equal frames are merged, and their durations are added`() async throws {
        let drawn = try animation(3)
        let frames = try #require(drawn.frames)
        let pixels = try [0, 1, 1, 2].map { try frames.frame($0, job: Job()) }
        let durations = [40, 50, 60, 70].map { Duration.milliseconds($0) }
        let image = Image(
            pixels: pixels[0], frames: FrameList(zip(pixels, durations).map { ($0, $1) }, loopCount: 3))
        let info = try await manager.info(of: manager.encode(image, as: .webp, context: options("lossless")))
        #expect(info.durations == [40, 110, 70].map { .milliseconds($0) })
        #expect(info.loopCount == 3)
    }

    @Test func `out-of-range numbers are clamped`() async throws {
        var (beyond, most) = (WebPOptions(), WebPOptions())
        (beyond.method, most.method) = (99, 6)
        (beyond.alphaQuality, most.alphaQuality) = (-5, 0)
        let image = try picture()
        let one = try await manager.encode(image, as: .webp, context: [.webpOptions(beyond)])
        let other = try await manager.encode(image, as: .webp, context: [.webpOptions(most)])
        #expect(one == other)
    }

    // MARK: Animations

    private func animation(_ count: Int, loopCount: Int = 3) throws -> Image {
        let frames = try (0..<count).map { index in
            var samples = [UInt8](repeating: 0, count: 40 * 30 * 4)
            for y in 5..<25 {
                for x in index * 2..<index * 2 + 15 {
                    samples.replaceSubrange(
                        (y * 40 + x) * 4..<(y * 40 + x) * 4 + 4, with: [200, UInt8(index * 20), 30, 255])
                }
            }
            return try Image.of(samples, PixelSize(40, 30), isOpaque: false).pixels
        }
        let durations = (0..<count).map { Duration.milliseconds(40 + $0 * 10) }
        return Image(
            pixels: frames[0], frames: FrameList(zip(frames, durations).map { ($0, $1) }, loopCount: loopCount))
    }

    @Test(arguments: ["lossless", "lossless,minimizesSize", "lossless,keyFrameDistance=0-0", "lossless,mixesFrames"])
    func `an animation keeps frames, durations and loops`(_ text: String) async throws {
        let image = try animation(9)
        let data = try await manager.encode(image, as: .webp, context: options(text))
        let info = try await manager.info(of: data)
        #expect(info.durations == (0..<9).map { .milliseconds(40 + $0 * 10) })
        #expect(info.loopCount == 3)
        let made = try await manager.decode(data)
        for index in (0..<9).reversed() {
            let one = try made.frames?.frame(index, job: Job()).samples
            let other = try image.frames?.frame(index, job: Job()).samples
            // Transparent pixels may have any color.
            let isSame = zip(one ?? [], other ?? []).enumerated().allSatisfy { place, pair in
                pair.0 == pair.1 || other?[place | 3] == 0 && place % 4 != 3
            }
            #expect(isSame, "frame \(index)")
        }
    }

    @Test func `key frames are written at the given distance`() async throws {
        let image = try animation(12)
        let data = try await manager.encode(image, as: .webp, context: options("lossless,keyFrameDistance=3-4"))
        let frames = try await manager.info(of: data).frames
        let whole = frames.indices.filter { frames[$0].region.size == PixelSize(40, 30) || frames[$0].blend == .source }
        #expect(whole.count >= 3)
    }

    @Test func `loop counts and durations beyond the format are clamped`() async throws {
        let frames = try animation(2).frames
        let first = try #require(try frames?.frame(0, job: Job()))
        let second = try #require(try frames?.frame(1, job: Job()))
        let list = FrameList([(first, .seconds(1)), (second, .milliseconds(33.4))], loopCount: 1_000_000)
        let data = try await manager.encode(Image(pixels: first, frames: list), as: .webp)
        let info = try await manager.info(of: data)
        #expect(info.loopCount == 65_535)
        #expect(info.durations == [.seconds(1), .milliseconds(33)])
    }

    @Test func `an animation may last longer than 2^31 milliseconds`() async throws {
        // Source: RFC 9649, section 2.7.1.1: 24 bits for the duration of a frame.
        let longest = Duration.milliseconds(0xFF_FFFF)
        let frames = try animation(2).frames
        let pixels = try (0..<2).map { try #require(try frames?.frame($0, job: Job())) }
        let list = FrameList((0..<140).map { (pixels[$0 % 2], $0 == 3 ? .seconds(100_000) : longest) })
        let data = try await manager.encode(Image(pixels: pixels[0], frames: list), as: .webp)
        let durations = try await manager.info(of: data).durations
        #expect(durations == Array(repeating: longest, count: 140))
    }

    @Test func `the target size applies to the whole file, not to each frame`() async throws {
        let image = try animation(12)
        func length(_ text: String) async throws -> Int {
            try await manager.encode(image, as: .webp, context: options(text)).count
        }
        #expect(try await length("targetSize=2400") < 2 * length("targetSize=1200") + 2400)
    }

    // MARK: Metadata

    @Test func `profile, EXIF and XMP are written`() async throws {
        let profile = Data((0..<501).map { UInt8($0 % 251) })
        let attributes = Image.Attributes(
            profile: .icc(profile), orientation: .right,
            metadata: ImageMetadata(exif: EXIF.block(for: .up), xmp: Data("<x:xmpmeta/>".utf8)))
        let image = Image(pixels: try picture().pixels, attributes: attributes)
        let data = try await manager.encode(image, as: .webp, context: [.metadataPolicy(.all)])
        #expect(WebPChunk.all(of: data).map(\.name) == ["VP8X", "ICCP", "ALPH", "VP8 ", "EXIF", "XMP "])
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        #expect(info.profile == .icc(profile))
        #expect(info.orientation == .right)
        #expect(info.metadata.xmp == Data("<x:xmpmeta/>".utf8))
        let bare = try await manager.encode(image, as: .webp, context: [.metadataPolicy(.strip)])
        #expect(!WebPChunk.all(of: bare).map(\.name).contains("ICCP"))
    }
}
#endif
