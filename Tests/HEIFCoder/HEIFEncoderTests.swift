#if HEIF
import Calotype
import CalotypeHEIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HEIFEncoderTests {
    private let manager = ImageManager(plugins: [.heif], context: [.off(.imageCache)])

    /// Returns a picture with edges and gradients.
    private func picture(
        _ size: PixelSize = PixelSize(96, 80), _ format: PixelFormat = .rgba8, isOpaque: Bool = true,
        isGray: Bool = false, attributes: Image.Attributes = Image.Attributes()
    ) throws -> Image {
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let red = UInt8(x * 240 / size.width)
                samples += [
                    red, isGray ? red : UInt8(y * 240 / size.height),
                    isGray ? red : (x / 8 + y / 8) % 2 == 0 ? 40 : 200,
                    isOpaque ? 255 : UInt8(x * 255 / (size.width - 1)),
                ]
            }
        }
        return try Image.of(samples, size, format: format, isOpaque: isOpaque, isGray: isGray, attributes: attributes)
    }

    private func options(_ text: String) throws -> ContextSetting {
        .heifOptions(try #require(HEIFOptions(contextText: text)))
    }

    // MARK: Pixels

    @Test(arguments: [ImageFormat.heic, .avif])
    func `a higher quality is more exact and longer`(_ format: ImageFormat) async throws {
        let image = try picture()
        var last = (length: 0, decibels: 0.0)
        for percent in [10, 40, 70, 95] {
            let data = try await manager.encode(
                image, as: format,
                context: [.compressionQuality(Double(percent) / 100), try options("chroma=4:4:4")])
            let made = try await manager.decode(data)
            let decibels = SampleDifference(made.pixels.samples, image.pixels.samples).decibels
            #expect(data.count > last.length)
            #expect(decibels > last.decibels)
            #expect(made.attributes.format == format)
            last = (data.count, decibels)
        }
        #expect(last.decibels > 35)
    }

    @Test(arguments: [ImageFormat.heic, .avif], [true, false])
    func `a lossless file has every pixel`(_ format: ImageFormat, _ isOpaque: Bool) async throws {
        let image = try picture(isOpaque: isOpaque)
        let data = try await manager.encode(image, as: format, context: [try options("lossless")])
        let made = try await manager.decode(data)
        #expect(SampleDifference(made.pixels.samples, image.pixels.samples) == .zero)
        #expect(try await manager.info(of: data).hasAlpha == !isOpaque)
    }

    @Test(arguments: [ImageFormat.heic, .avif], [PixelFormat.rgba8, .rgba16, .rgbaFloat])
    func `pixels of every format can be written, deeper ones with more bits`(
        _ format: ImageFormat, _ kind: PixelFormat
    ) async throws {
        let image = try picture(PixelSize(64, 64), kind, isOpaque: false)
        let data = try await manager.encode(
            image, as: format, context: [.compressionQuality(0.9), try options("chroma=4:4:4")])
        let bitDepth = try await manager.info(of: data).bitDepth
        #expect(kind == .rgba8 ? bitDepth == 8 : [10, 12].contains(bitDepth))
        let made = try await manager.decode(data)
        let expected = try picture(PixelSize(64, 64), isOpaque: false)
        #expect(SampleDifference(made.pixels.samples, expected.pixels.samples).decibels > 30)
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `a gray picture is written without color`(_ format: ImageFormat) async throws {
        let image = try picture(isGray: true)
        let data = try await manager.encode(image, as: format, context: [.compressionQuality(0.9)])
        #expect(try await manager.info(of: data).colorModel == .gray)
        let made = try await manager.decode(data)
        #expect(made.pixels.isGray)
        #expect(SampleDifference(made.pixels.samples, image.pixels.samples).decibels > 35)
    }

    @Test(arguments: [ImageFormat.heic, .avif], [(1, 1), (3, 5), (17, 33), (64, 1), (65, 63)])
    func `a picture of any size is written`(_ format: ImageFormat, _ sides: (Int, Int)) async throws {
        let size = PixelSize(sides.0, sides.1)
        let image = try picture(size)
        let data = try await manager.encode(image, as: format, context: [.compressionQuality(0.9)])
        #expect(try await manager.decode(data).size == size)
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `a slower encoder gives a different file`(_ format: ImageFormat) async throws {
        let image = try picture()
        let fast = try await manager.encode(image, as: format, context: [try options("speed=9")])
        let slow = try await manager.encode(image, as: format, context: [try options("speed=3")])
        #expect(fast != slow)
        #expect(try await manager.decode(fast).size == manager.decode(slow).size)
    }

    @Test(arguments: [ImageFormat.heic, .avif], Orientation.allCases)
    func `a turned picture is written upright`(_ format: ImageFormat, _ orientation: Orientation) async throws {
        var attributes = Image.Attributes()
        attributes.orientation = orientation
        let image = try picture(PixelSize(48, 32), isOpaque: false, attributes: attributes)
        let data = try await manager.encode(image, as: format, context: [try options("lossless")])
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        #expect(info.orientation == .up)
        let isUpright = info.metadata.exif.map { EXIF.orientation(of: $0.bytes) == .up } ?? true
        #expect(isUpright)
        let expected = try image.pixels.upright(from: orientation)
        let made = try await manager.decode(data)
        #expect(SampleDifference(made.pixels.samples, expected.samples) == .zero)
    }

    @Test(arguments: [-1, 0, 4, 9, 16, 63])
    func `an unsupported depth is refused`(_ bitDepth: Int) async throws {
        var options = HEIFOptions()
        options.bitDepth = bitDepth
        for format in [ImageFormat.heic, .avif] {
            let error = await #expect(throws: ImageError.self) {
                try await manager.encode(try picture(), as: format, context: [.heifOptions(options)])
            }
            #expect(error?.code == .encodeFailed)
        }
    }

    @Test(arguments: [(ImageFormat.heic, 8), (.heic, 10), (.heic, 12), (.avif, 8), (.avif, 12)])
    func `each depth can be written, losslessly on request`(_ format: ImageFormat, _ bitDepth: Int)
        async throws
    {
        let image = try picture(PixelSize(40, 24))
        let data = try await manager.encode(image, as: format, context: [try options("lossless,bitDepth=\(bitDepth)")])
        #expect(try await manager.info(of: data).bitDepth == bitDepth)
        let made = try await manager.decode(data)
        #expect(SampleDifference(made.pixels.samples, image.pixels.samples) == .zero)
    }

    @Test(arguments: [ImageFormat.heic, .avif], ["4:2:0", "4:2:2", "4:4:4"])
    func `each subsampling can be written, also at odd sizes`(_ format: ImageFormat, _ chroma: String) async throws {
        let image = try picture(PixelSize(65, 33), isGray: true)
        // Gray without the `isGray` flag is stored in color.
        let colored = try Image.of(image.pixels.samples, image.size)
        let data = try await manager.encode(
            colored, as: format, context: [.compressionQuality(0.95), try options("chroma=\(chroma)")])
        #expect(try await manager.info(of: data).colorModel == .yCbCr)
        let made = try await manager.decode(data)
        #expect(SampleDifference(made.pixels.samples, image.pixels.samples).decibels > 38)
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `highlights above white are cut off, and reported`(_ format: ImageFormat) async throws {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(16, 16), format: .rgbaFloat))
        for y in 0..<16 {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<16 {
                    row.storeBytes(of: SIMD4<Float>(4, 0.5, 1, 1), toByteOffset: 16 * x, as: SIMD4<Float>.self)
                }
            }
        }
        let listener = RecordingListener()
        let manager = ImageManager(plugins: [.heif], context: [.off(.imageCache), .eventListener(listener)])
        let image = Image(pixels: builder.finish(isOpaque: true))
        let data = try await manager.encode(image, as: format, context: [try options("chroma=4:4:4,bitDepth=8")])
        await manager.waitForEvents()
        let isReported = listener.events.contains { "\($0)".contains("highlights above white") }
        #expect(isReported)
        let made = try await manager.decode(data)
        #expect(made.pixels.color(x: 8, y: 8).red > 0.95)
    }

    @Test func `a profile for gray is left out of a picture in color`() async throws {
        let gray = Data(ICCProfile(grayWith: .sRGB, name: "gray").data)
        let issues = Lock<[ImageError]>([])
        var options = EncodeOptions()
        options.onIssue = { issue in issues.withLock { $0.append(issue) } }
        let image = try picture(
            PixelSize(16, 16), isOpaque: false, isGray: true, attributes: Image.Attributes(profile: .icc(gray)))
        let data = try #require(HEIFCoder().encoder(for: .heic)).encode(image, options: options, job: Job())
        #expect(issues.withLock { $0.count } == 1)
        #expect(try await !manager.info(of: data).hasEmbeddedProfile)
    }

    // MARK: Metadata

    @Test(arguments: [ImageFormat.heic, .avif])
    func `profile, EXIF and XMP are written`(_ format: ImageFormat) async throws {
        let profile = try HEIFFixture.directory.data("icc.icc")
        var attributes = Image.Attributes()
        attributes.profile = .icc(profile)
        attributes.metadata = ImageMetadata(exif: EXIF.block(for: .up), xmp: Data("<x:xmpmeta/>".utf8))
        let image = try picture(attributes: attributes)
        let data = try await manager.encode(image, as: format, context: [.metadataPolicy(.all)])
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        #expect(info.profile == .icc(profile))
        #expect(EXIF.orientation(of: try #require(info.metadata.exif).bytes) == .up)
        #expect(info.metadata.xmp == Data("<x:xmpmeta/>".utf8))
        let bare = try await manager.encode(image, as: format, context: [.metadataPolicy(.strip)])
        #expect(try await manager.info(of: bare, context: [.keepsMetadata]).metadata.isEmpty)
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `a thumbnail is embedded on request`(_ format: ImageFormat) async throws {
        let image = try picture(PixelSize(800, 600))
        let plain = try await manager.encode(image, as: format, context: [try options("speed=9")])
        let data = try await manager.encode(image, as: format, context: [try options("speed=9"), .embedThumbnail])
        #expect(data.count > plain.count)
        #expect(Self.sizes(in: data) == [PixelSize(800, 600), PixelSize(320, 240)])
        #expect(Self.sizes(in: plain) == [PixelSize(800, 600)])
    }

    @Test(arguments: [ImageFormat.heic, .avif], [(100, 80), (320, 320), (1_000, 20)])
    func `a picture too small for a thumbnail gets none`(
        _ format: ImageFormat, _ sides: (Int, Int)
    ) async throws {
        let size = PixelSize(sides.0, sides.1)
        let data = try await manager.encode(
            try picture(size), as: format, context: [try options("speed=9"), .embedThumbnail])
        #expect(data.firstRange(of: Data("thmb".utf8)) == nil)
        #expect(try await manager.decode(data).size == size)
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `a gray picture with a profile of colors is written in color`(_ format: ImageFormat) async throws {
        var attributes = Image.Attributes()
        attributes.profile = .icc(try HEIFFixture.directory.data("icc.icc"))
        let data = try await manager.encode(try picture(isGray: true, attributes: attributes), as: format)
        #expect(try await manager.info(of: data).colorModel != .gray)
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `a lossless gray file has every pixel`(_ format: ImageFormat) async throws {
        let image = try picture(isGray: true)
        let data = try await manager.encode(image, as: format, context: [try options("lossless")])
        #expect(SampleDifference(try await manager.decode(data).pixels.samples, image.pixels.samples) == .zero)
    }

    @Test func `an invalid EXIF block is left out, and the picture is written`() async throws {
        var attributes = Image.Attributes()
        attributes.metadata = ImageMetadata(exif: Data([1, 2, 3]))
        let data = try await manager.encode(
            try picture(attributes: attributes), as: .avif, context: [.metadataPolicy(.all)])
        #expect(try await manager.decode(data).size == PixelSize(96, 80))
    }

    /// Returns the picture sizes in the boxes of a file.
    private static func sizes(in file: Data) -> [PixelSize] {
        var sizes: [PixelSize] = []
        var rest = file
        while let box = rest.firstRange(of: Data("ispe".utf8)) {
            rest = rest[box.upperBound...]
            let bytes = Array(rest.dropFirst(4).prefix(8))
            func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
            sizes.append(PixelSize(number(0), number(4)))
        }
        return sizes
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `a file stays within the byte limit`(_ format: ImageFormat) async throws {
        let image = try picture(PixelSize(256, 192))
        let free = try await manager.encode(image, as: format, context: [.compressionQuality(0.95)])
        let limit = free.count / 2
        let data = try await manager.encode(
            image, as: format, context: [.compressionQuality(0.95), .encodeMaxFileBytes(limit)])
        #expect(data.count <= limit)
        #expect(try await manager.decode(data).size == image.size)
    }

    @Test func `options survive a round trip through text`() throws {
        let text = "lossless,bitDepth=12,chroma=4:2:2,speed=7"
        #expect(HEIFOptions(contextText: text)?.contextText == text)
        #expect(HEIFOptions(contextText: "")?.contextText == "")
        for wrong in ["bitDepth=9", "speed=10", "chroma=4:1:1", "lossless=2", "speed", "nothing", "speed=1,"] {
            #expect(HEIFOptions(contextText: wrong) == nil, "\(wrong)")
        }
    }
}
#endif
