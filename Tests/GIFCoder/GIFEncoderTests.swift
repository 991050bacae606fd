#if GIF
import Calotype
import CalotypeGIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GIFEncoderTests {
    private let manager = ImageManager(plugins: [.gif], context: [.off(.imageCache)])

    private func options(_ text: String) throws -> ImageContext {
        [.gifOptions(try #require(GIFOptions(contextText: text)))]
    }

    /// Returns a picture of smooth colors.
    private func gradient(_ size: PixelSize = PixelSize(96, 64)) throws -> Image {
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                samples += [
                    UInt8(x * 255 / (size.width - 1)), UInt8(y * 255 / (size.height - 1)),
                    UInt8((x + y) * 255 / (size.width + size.height)), 255,
                ]
            }
        }
        return try Image.of(samples, size)
    }

    /// Returns an animation of a square that moves over a pattern with some transparency.
    private func animation(_ count: Int, loopCount: Int = 0, isClear: Bool = false) throws -> Image {
        let frames = try (0..<count).map { index in
            var samples: [UInt8] = []
            for y in 0..<24 {
                for x in 0..<32 {
                    let isSquare = (index * 2..<index * 2 + 8).contains(x) && (6..<18).contains(y)
                    let ground: [UInt8] = isClear ? [0, 0, 0, 0] : [UInt8(x / 8 * 60), UInt8(y / 8 * 60), 90, 255]
                    samples += isSquare ? [220, UInt8(20 + index), 40, 255] : ground
                }
            }
            return try Image.of(samples, PixelSize(32, 24), isOpaque: !isClear).pixels
        }
        let durations = (0..<count).map { Duration.milliseconds(40 + $0 * 10) }
        return Image(
            pixels: frames[0], frames: FrameList(zip(frames, durations).map { ($0, $1) }, loopCount: loopCount))
    }

    // MARK: Still images

    @Test(arguments: [1, 2, 3, 4, 5, 17, 128, 255, 256])
    func `a picture of few colors is kept exactly`(_ count: Int) async throws {
        var random = SplitMix64(seed: UInt64(count))
        let colors = (0..<count).map { index in
            [UInt8(index), UInt8.random(in: 0...255, using: &random), UInt8.random(in: 0...255, using: &random), 255]
        }
        let size = PixelSize(32, 16)
        let samples = (0..<size.area).flatMap { colors[$0 % count] }
        let data = try await manager.encode(Image.of(samples, size), as: .gif)
        let made = try await manager.decode(data)
        #expect(SampleDifference(made.pixels.samples, samples) == .zero)
        #expect(!made.isAnimated)
    }

    @Test func `pixels below half opacity become transparent, all others opaque`() async throws {
        let samples: [UInt8] = (0..<256).flatMap { alpha -> [UInt8] in [200, 100, 50, UInt8(alpha)] }
        let image = try Image.of(samples, PixelSize(256, 1), isOpaque: false)
        let made = try await manager.decode(manager.encode(image, as: .gif))
        let (clear, opaque): ([UInt8], [UInt8]) = ([0, 0, 0, 0], [200, 100, 50, 255])
        #expect(made.pixels.samples == (0..<256).flatMap { alpha -> [UInt8] in alpha < 128 ? clear : opaque })
    }

    @Test func `a fully transparent picture can be written`() async throws {
        let clear = try Image.of([UInt8](repeating: 0, count: 9 * 7 * 4), PixelSize(9, 7), isOpaque: false)
        let made = try await manager.decode(manager.encode(clear, as: .gif))
        #expect(made.size == PixelSize(9, 7))
        #expect(made.pixels.samples.allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["none", "ordered", "diffusion"])
    func `quantized colors are close, and closer on average with dithering`(
        _ dithering: String
    ) async throws {
        let image = try gradient()
        let data = try await manager.encode(image, as: .gif, context: options("dithering=\(dithering)"))
        let made = try await manager.decode(data)
        let difference = SampleDifference(made.pixels.samples, image.pixels.samples)
        #expect(difference.meanSquare < 160)
        // The means of squares of eight pixels.
        let (one, other) = (Self.means(made.pixels.samples, 96), Self.means(image.pixels.samples, 96))
        let error = zip(one, other).map { abs($0 - $1) }.max() ?? 0
        #expect(error < (dithering == "none" ? 12 : 6), "\(dithering)")
    }

    /// Returns the means of the channels over squares of eight pixels.
    private static func means(_ samples: [UInt8], _ width: Int) -> [Double] {
        let height = samples.count / 4 / width
        var sums = [Double](repeating: 0, count: width / 8 * (height / 8) * 4)
        for index in samples.indices {
            let (pixel, channel) = (index / 4, index % 4)
            let square = pixel / width / 8 * (width / 8) + pixel % width / 8
            sums[square * 4 + channel] += Double(samples[index]) / 64
        }
        return sums
    }

    @Test func `the number of colors can be limited`() async throws {
        for count in [2, 5, 16, 100] {
            let made = try await manager.decode(
                manager.encode(gradient(), as: .gif, context: options("colors=\(count)")))
            let samples = made.pixels.samples
            let colors = Set(stride(from: 0, to: samples.count, by: 4).map { Array(samples[$0..<$0 + 4]) })
            #expect((2...count).contains(colors.count))
        }
    }

    @Test func `similar colors are kept apart`() async throws {
        // All 512 colors within the highest and the lowest eight levels of each channel.
        for base in [0, 248] {
            var samples: [UInt8] = []
            for index in 0..<512 {
                let channels = [index >> 6, (index >> 3) & 7, index & 7]
                samples += channels.map { UInt8(base + $0) } + [255]
            }
            let image = try Image.of(samples, PixelSize(32, 16))
            for count in [2, 256] {
                let made = try await manager.decode(
                    manager.encode(image, as: .gif, context: options("colors=\(count),dithering=none")))
                let found = made.pixels.samples
                let colors = Set(stride(from: 0, to: found.count, by: 4).map { Array(found[$0..<$0 + 4]) })
                #expect(colors.count > count / 2)
                #expect(SampleDifference(found, samples).largest <= (count == 2 ? 7 : 2))
            }
        }
    }

    @Test func `colors with equal hashes can be written`() async throws {
        // Colors that collide: the highest fourteen bits of a product modulo 2^32 are equal.
        let colors = (UInt32(0)..<1 << 24).lazy.filter { ($0 &* 2_654_435_761) >> 18 == 77 }.prefix(900)
        var samples: [UInt8] = []
        for color in colors {
            samples += [UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16), 255]
        }
        let size = PixelSize(colors.count, 1)
        let made = try await manager.decode(manager.encode(Image.of(samples, size), as: .gif))
        #expect(SampleDifference(made.pixels.samples, samples).meanSquare < 2000)
    }

    @Test func `up to 256 colors with equal hashes are kept exactly`() async throws {
        let colors = Array((UInt32(0)..<1 << 24).lazy.filter { ($0 &* 2_654_435_761) >> 22 == 5 }.prefix(256))
        var random = SplitMix64(seed: 6)
        var samples: [UInt8] = []
        for _ in 0..<64 {
            for color in colors.shuffled(using: &random) {
                samples += [UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16), 255]
            }
        }
        let made = try await manager.decode(manager.encode(Image.of(samples, PixelSize(256, 64)), as: .gif))
        #expect(made.pixels.samples == samples)
    }

    @Test func `a white background stays white beside many colors`() async throws {
        var random = SplitMix64(seed: 4)
        var samples: [UInt8] = []
        for place in 0..<64 * 64 {
            for _ in 0..<3 { samples.append(place % 64 < 20 ? UInt8.random(in: 0...255, using: &random) : 255) }
            samples.append(255)
        }
        let made = try await manager.decode(manager.encode(Image.of(samples, PixelSize(64, 64)), as: .gif))
        let found = made.pixels.samples
        let isWhite = found.indices.allSatisfy { $0 / 4 % 64 < 24 || found[$0] == 255 }
        #expect(isWhite)
    }

    @Test(arguments: [2, 4, 16])
    func `ordered dithering mixes adjacent palette colors, however few`(_ count: Int) async throws {
        var samples: [UInt8] = []
        for place in 0..<64 * 64 {
            let level = UInt8(place % 64 * 4)
            samples += [level, level, level, 255]
        }
        let image = try Image.of(samples, PixelSize(64, 64))
        let made = try await manager.decode(
            manager.encode(image, as: .gif, context: options("colors=\(count),dithering=ordered")))
        let (one, other) = (Self.means(made.pixels.samples, 64), Self.means(image.pixels.samples, 64))
        // Dithering cannot mix beyond the darkest and the lightest color.
        let inner = zip(one, other).filter { (70...185).contains($1) }
        #expect(inner.allSatisfy { abs($0 - $1) < 24 })
    }

    @Test func `an opaque still has no unused palette color`() async throws {
        for text in ["", "sharedPalette"] {
            let data = try await manager.encode(gradient(), as: .gif, context: options(text))
            #expect(try await !manager.info(of: data).hasAlpha)
        }
    }

    @Test(arguments: [PixelFormat.rgba16, .rgbaFloat])
    func `deeper samples are rounded`(_ format: PixelFormat) async throws {
        let samples: [UInt8] = (0..<64).flatMap { [UInt8($0 * 4), 10, 200, 255] as [UInt8] }
        let made = try await manager.decode(
            manager.encode(Image.of(samples, PixelSize(8, 8), format: format), as: .gif))
        #expect(made.pixels.samples == samples)
    }

    // MARK: Animations

    @Test(arguments: [false, true], ["", "sharedPalette"])
    func `an animation keeps frames, durations and pixels`(isClear: Bool, text: String) async throws {
        let image = try animation(9, loopCount: 3, isClear: isClear)
        let data = try await manager.encode(image, as: .gif, context: options(text))
        let info = try await manager.info(of: data)
        #expect(info.loopCount == 3)
        #expect(info.durations == (0..<9).map { .milliseconds(40 + $0 * 10) })
        let made = try await manager.decode(data)
        for index in (0..<9).reversed() {
            let one = try #require(try made.frames?.frame(index, job: Job()))
            let other = try #require(try image.frames?.frame(index, job: Job()))
            #expect(SampleDifference(one.samples, other.samples) == .zero, "frame \(index)")
        }
        // Only the moving region is written.
        #expect(info.frames.dropFirst().allSatisfy { $0.region.size.area < 32 * 24 / 2 })
    }

    @Test(arguments: [0, 1, 2, 65_536, 1_000_000])
    func `a loop count beyond the format is clamped`(_ loopCount: Int) async throws {
        let data = try await manager.encode(animation(2, loopCount: loopCount), as: .gif)
        #expect(try await manager.info(of: data).loopCount == min(loopCount, 65_536))
    }

    @Test func `equal frames stay separate`() async throws {
        let pixels = try gradient(PixelSize(8, 8)).pixels
        let list = FrameList([(pixels, .milliseconds(50)), (pixels, .milliseconds(70)), (pixels, .milliseconds(90))])
        let data = try await manager.encode(Image(pixels: pixels, frames: list), as: .gif)
        let info = try await manager.info(of: data)
        #expect(info.durations == [.milliseconds(50), .milliseconds(70), .milliseconds(90)])
        let made = try await manager.decode(data)
        let last = try #require(try made.frames?.frame(2, job: Job()))
        #expect(SampleDifference(last.samples, pixels.samples) == .zero)
    }

    @Test func `durations are rounded together, and none becomes so short that viewers change it`() async throws {
        let pixels = try gradient(PixelSize(8, 8)).pixels
        let list = FrameList((0..<9).map { _ in (pixels, .milliseconds(33.4)) })
        let data = try await manager.encode(Image(pixels: pixels, frames: list), as: .gif)
        let durations = try await manager.info(of: data).durations
        #expect(durations.reduce(.zero, +) == .milliseconds(300))
        let short = FrameList((0..<3).map { _ in (pixels, .milliseconds(11)) })
        let quick = try await manager.encode(Image(pixels: pixels, frames: short), as: .gif)
        #expect(try await manager.info(of: quick).durations.allSatisfy { $0 == .milliseconds(20) })
    }

    // MARK: Metadata and options

    @Test func `profile and XMP are written and read`() async throws {
        let profile = Data((0..<700).map { UInt8($0 % 251) })
        let packet = Data("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta/>".utf8)
        let attributes = Image.Attributes(profile: .icc(profile), metadata: ImageMetadata(xmp: packet))
        let image = Image(pixels: try gradient(PixelSize(8, 8)).pixels, attributes: attributes)
        let data = try await manager.encode(image, as: .gif, context: [.metadataPolicy(.all)])
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        #expect(info.profile == .icc(profile))
        #expect(info.metadata.xmp?.starts(with: Data("<?xpacket".utf8)) == true)
    }

    @Test func `a packet that would end early is left out`() throws {
        let issues = Lock<[ImageError]>([])
        var options = EncodeOptions()
        options.metadata.xmp = Data("<x:xmpmeta/>\0,".utf8)
        options.onIssue = { issue in issues.withLock { $0.append(issue) } }
        let data = try #require(GIFCoder().encoder(for: .gif)).encode(
            try gradient(PixelSize(8, 8)), options: options, job: Job())
        #expect(issues.withLock { $0.count } == 1)
        #expect(data.range(of: Data("xmpmeta".utf8)) == nil)
    }

    @Test func `a byte limit that cannot be met is refused at once`() async throws {
        let error = await #expect(throws: ImageError.self) {
            try await manager.encode(try gradient(), as: .gif, context: [.encodeMaxFileBytes(100)])
        }
        #expect(error?.code == .encodeFailed)
        #expect(error?.advice?.contains("another format") == true)
    }

    @Test func `a picture larger than the format allows is refused`() async throws {
        let image = try Image.of([UInt8](repeating: 9, count: 65_536 * 4), PixelSize(65_536, 1))
        let error = await #expect(throws: ImageError.self) { try await manager.encode(image, as: .gif) }
        #expect(error?.code == .encodeFailed)
        #expect(error?.message.contains("65535") == true)
    }

    @Test func `encoding can be cancelled`() throws {
        let time = ManualTime()
        let job = Job(timeout: .seconds(1), time: time)
        time.advance(by: .seconds(2))
        let encoder = try #require(GIFCoder().encoder(for: .gif))
        let error = #expect(throws: ImageError.self) {
            try encoder.encode(try gradient(), options: EncodeOptions(), job: job)
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: ["", "colors=2", "colors=64,dithering=ordered,sharedPalette", "dithering=none"])
    func `options are written as text and read back`(_ text: String) throws {
        let options = try #require(GIFOptions(contextText: text))
        #expect(options.contextText == text)
    }

    @Test(arguments: ["colors", "colors=1", "colors=257", "dithering=much", "sharedPalette=2", "bogus", ","])
    func `an invalid option is rejected`(_ text: String) {
        #expect(GIFOptions(contextText: text) == nil)
    }
}
#endif
