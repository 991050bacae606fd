#if PNG
import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypePNG

@Suite(.timeLimit(.minutes(5)))
struct PNGEncoderTests {
    /// The known properties of an image, and the smallest color type for them.
    struct Kind: Sendable, CustomTestStringConvertible {
        let isGray: Bool
        let isOpaque: Bool
        let colorType: UInt8

        var testDescription: String { "color type \(colorType)" }
    }

    static let kinds = [
        Kind(isGray: true, isOpaque: true, colorType: 0),
        Kind(isGray: false, isOpaque: true, colorType: 2),
        Kind(isGray: true, isOpaque: false, colorType: 4),
        Kind(isGray: false, isOpaque: false, colorType: 6),
    ]
    private static let everything: ImageContext = [.nativeDepth, .keepsOrientation, .keepsProfile]

    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    private func makeImage(
        _ width: Int = 37, _ height: Int = 19, _ format: PixelFormat = .rgba8, isOpaque: Bool = true,
        isGray: Bool = false, attributes: Image.Attributes = Image.Attributes()
    ) throws -> Image {
        let size = PixelSize(width: width, height: height)
        return try Image.pattern(
            PixelLayout(size: size, format: format, isOpaque: isOpaque, isGray: isGray), attributes: attributes)
    }

    private func chunkTypes(of file: Data) -> [String] {
        PNGChunk.all(of: file).map(\.type)
    }

    private func header(of file: Data) throws -> (bitDepth: UInt8, colorType: UInt8) {
        let chunk = try #require(PNGChunk.all(of: file).first)
        let body = [UInt8](chunk.body)
        return (body[8], body[9])
    }

    // MARK: Pixels

    @Test(arguments: PixelFormat.allCases, PNGEncoderTests.kinds)
    func `a written picture is read back in the smallest type`(_ format: PixelFormat, _ kind: Kind) async throws {
        let image = try makeImage(37, 19, format, isOpaque: kind.isOpaque, isGray: kind.isGray)
        let file = try await manager.encode(image, as: .png)
        let header = try header(of: file)
        #expect(header.colorType == kind.colorType)
        #expect(header.bitDepth == (format == .rgba8 ? 8 : 16))

        let read = try await manager.decode(file, context: Self.everything)
        #expect(read.size == image.size)
        #expect(read.pixels.samples == image.pixels.samples)
        #expect(read.pixels.isOpaque == kind.isOpaque)
        #expect(read.pixels.isGray == kind.isGray)
    }

    @Test func `every size is written`() async throws {
        for (width, height) in [(1, 1), (1, 7), (7, 1), (2, 2), (300, 3)] {
            let image = try makeImage(width, height, isOpaque: false)
            let read = try await manager.decode(manager.encode(image, as: .png))
            #expect(read.pixels.samples == image.pixels.samples)
        }
    }

    @Test func `floats outside of the range are clamped`() async throws {
        var builder = try PixelBufferBuilder(
            layout: PixelLayout(size: PixelSize(width: 2, height: 1), format: .rgbaFloat))
        let values: [Float] = [-1, 2, .nan, .infinity, -.infinity, 0.5, 1, 0]
        builder.withRow(0) { (row: inout MutableRawSpan) -> Void in
            for (index, value) in values.enumerated() {
                row.storeBytes(of: value, toByteOffset: index * 4, as: Float.self)
            }
        }
        let file = try await manager.encode(Image(pixels: builder.finish()), as: .png)
        let read = try await manager.decode(file, context: Self.everything)
        #expect(read.pixels.samples == [0, 65535, 0, 65535, 0, 32768, 65535, 0])
    }

    // MARK: Metadata

    @Test func `a profile is embedded`() async throws {
        let profile = ColorProfile.icc(try Fixture.data("icc.icc"))
        let image = try makeImage(attributes: Image.Attributes(profile: profile))
        let file = try await manager.encode(image, as: .png)
        let info = try await manager.info(of: file)
        #expect(info.profile == profile)
        #expect(!chunkTypes(of: file).contains("sRGB"))
    }

    @Test func `sRGB is marked without a profile`() async throws {
        let file = try await manager.encode(makeImage(), as: .png)
        #expect(chunkTypes(of: file).contains("sRGB"))
        #expect(!chunkTypes(of: file).contains("iCCP"))
    }

    @Test func `a gray picture with a profile for colors is written in color`() async throws {
        let profile = ColorProfile.icc(try Fixture.data("icc.icc"))
        let image = try makeImage(isGray: true, attributes: Image.Attributes(profile: profile))
        for (context, expected) in [([], 3), ([.pngReducesColors(false)], 2)] as [(ImageContext, UInt8)] {
            let file = try await manager.encode(image, as: .png, context: context)
            let colorType = try header(of: file).colorType
            #expect(colorType == expected)
            let read = try await manager.decode(file, context: Self.everything)
            #expect(read.attributes.profile == profile)
            #expect(read.pixels.samples == image.pixels.samples)
        }
    }

    @Test func `a gray profile is written only with gray pixels`() async throws {
        var bytes = try Fixture.data("icc.icc")
        bytes.replaceSubrange(16..<20, with: Data("GRAY".utf8))
        let attributes = Image.Attributes(profile: .icc(bytes))
        let gray = try makeImage(isGray: true, attributes: attributes)
        let file = try await manager.encode(gray, as: .png)
        let colorType = try header(of: file).colorType
        let info = try await manager.info(of: file)
        #expect(colorType == 0)
        #expect(info.profile == attributes.profile)

        let colored = try makeImage(attributes: attributes)
        let (others, issues) = try await written(colored)
        #expect(!chunkTypes(of: others).contains("iCCP"))
        #expect(issues.count == 1)
        #expect(issues.first?.message.contains("Gray color space") == true)
    }

    /// Returns an image as a file, and the reported issues.
    private func written(_ image: Image) async throws -> (file: Data, issues: [ImageError]) {
        let listener = RecordingListener()
        let file = try await manager.encode(image, as: .png, context: [.eventListener(listener)])
        await manager.waitForEvents()
        return (file, listener.issues)
    }

    /// Real profiles have these faults, and all viewers show the pictures with them.
    @Test func `a profile that libpng warns about is embedded unchanged`() async throws {
        var profile = try Fixture.data("icc.icc")
        // The white of the connection space is not exactly D50: these bytes contain its X.
        profile[71] ^= 1
        let image = try makeImage(attributes: Image.Attributes(profile: .icc(profile)))
        let (file, issues) = try await written(image)
        #expect(issues.isEmpty)
        let read = try await manager.decode(file, context: Self.everything)
        #expect(read.attributes.profile == .icc(profile))
        #expect(read.pixels.samples == image.pixels.samples)
    }

    @Test func `a damaged profile is left out and reported, and the picture is written`() async throws {
        let whole = try Fixture.data("icc.icc")
        for bytes in [Data(), Data("no profile".utf8), Data(whole.dropLast(1))] {
            let orientation = Orientation.left
            let image = try makeImage(attributes: Image.Attributes(profile: .icc(bytes), orientation: orientation))
            let (file, issues) = try await written(image)
            #expect(issues.map(\.code) == [.encodeFailed])
            #expect(issues.first?.stage == .encode)
            #expect(issues.first?.advice != nil)
            let types = chunkTypes(of: file)
            #expect(!types.contains("iCCP") && !types.contains("sRGB"))
            let read = try await manager.decode(file, context: Self.everything)
            #expect(read.attributes.profile == .sRGB)
            #expect(read.attributes.orientation == orientation)
            #expect(read.pixels.samples == image.pixels.samples)
        }
    }

    @Test(arguments: Orientation.allCases)
    func `an orientation other than upright is written`(_ orientation: Orientation) async throws {
        let image = try makeImage(attributes: Image.Attributes(orientation: orientation))
        let file = try await manager.encode(image, as: .png)
        let blocks = chunkTypes(of: file).filter { $0 == "eXIf" }
        #expect(blocks.count == (orientation == .up ? 0 : 1))
        let read = try await manager.decode(file, context: Self.everything)
        #expect(read.attributes.orientation == orientation)
        #expect(read.pixels.samples == image.pixels.samples)
    }

    @Test func `without its profile a file has no color chunks`() throws {
        var options = EncodeOptions()
        options.embedsProfile = false
        for profile in [ColorProfile.sRGB, .icc(try Fixture.data("icc.icc"))] {
            let image = try makeImage(isGray: true, attributes: Image.Attributes(profile: profile))
            let file = try PNGEncoder().encode(image, options: options, job: Job())
            let colorType = try header(of: file).colorType
            #expect(chunkTypes(of: file) == ["IHDR", "IDAT", "IEND"])
            // It does not prevent gray either.
            #expect(colorType == 0)
        }
    }

    @Test func `metadata is written as it is, before the pixels`() throws {
        var options = EncodeOptions()
        let exif = EXIF.block(for: .left)
        let packet = Data("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/> \u{e9}".utf8)
        options.metadata = ImageMetadata(exif: exif, xmp: packet)
        // The image's own orientation is not written a second time.
        let image = try makeImage(attributes: Image.Attributes(orientation: .down))
        let file = try PNGEncoder().encode(image, options: options, job: Job())
        let chunks = PNGChunk.all(of: file)
        #expect(PNGChunk.file(chunks) == file)
        #expect(chunks.filter { $0.type == "eXIf" }.map(\.body) == [exif])
        // Not compressed, without a language and a translated keyword.
        let text = Data("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet
        #expect(chunks.filter { $0.type == "iTXt" }.map(\.body) == [text])
        let pixels = try #require(chunks.firstIndex { $0.type == "IDAT" })
        #expect(chunks[..<pixels].map(\.type).contains("eXIf"))
        #expect(chunks[..<pixels].map(\.type).contains("iTXt"))
    }

    // MARK: Options and jobs

    @Test func `the compression level changes only the size`() async throws {
        let image = try Image.pattern(PixelLayout(size: PixelSize(width: 200, height: 100), isOpaque: true))
        let stored = try await manager.encode(image, as: .png, context: [.pngCompressionLevel(0)])
        let usual = try await manager.encode(image, as: .png)
        let small = try await manager.encode(image, as: .png, context: [.pngCompressionLevel(9)])
        #expect(stored.count > 60_000)
        #expect(usual.count < stored.count)
        #expect(small.count < stored.count)
        for file in [stored, usual, small] {
            let read = try await manager.decode(file)
            #expect(read.pixels.samples == image.pixels.samples)
        }
    }

    @Test func `a level beyond the range is clamped`() async throws {
        let image = try makeImage()
        let nine = try await manager.encode(image, as: .png, context: [.pngCompressionLevel(9)])
        let beyond = try await manager.encode(image, as: .png, context: [.pngCompressionLevel(10)])
        let unclamped = try await manager.encode(image, as: .png, context: [.set(.pngCompressionLevel, to: 1000)])
        #expect(beyond == nine)
        #expect(unclamped == nine)
        #expect(throws: ImageError.self) { try manager.registry.setting(named: "pngCompressionLevel", text: "10") }
    }

    @Test func `encoding stops when its job is cancelled`() throws {
        let image = try makeImage()
        let job = Job()
        job.cancel()
        let error = #expect(throws: ImageError.self) {
            try PNGEncoder().encode(image, options: EncodeOptions(), job: job)
        }
        #expect(error?.code == .cancelled)
    }
}
#endif
