import CalotypeTesting
import Testing

@testable import Calotype

/// The estimated memory of a decode.
@Suite(.timeLimit(.minutes(5)))
struct DecodeCostTests {
    /// A decoder with a declared working memory.
    private struct Decoder: ImageDecoder {
        let info: ImageInfo
        let workingByteCount: Int

        func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {}
    }

    /// A file, its decoding options, and the expected memory.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var size = PixelSize(4000, 3000)
        var orientation = Orientation.up
        var bitDepth = 8
        var frameCount = 0
        /// The working memory of the decoder.
        var working = 0
        var context: ImageContext = []
        let expected: Int

        var info: ImageInfo {
            let frame = FrameInfo(duration: .milliseconds(100), region: PixelRegion(size: size))
            return ImageInfo(
                format: RawImageCoder.format, pixelSize: size, orientation: orientation, hasAlpha: false,
                bitDepth: bitDepth, frames: Array(repeating: frame, count: frameCount))
        }
    }

    /// 4000 x 3000 pixels of 4 bytes.
    private static let whole = 48_000_000
    /// The rotated picture, whose rows of 3000 pixels are padded to a multiple of 64 bytes.
    private static let turned = 12_032 * 4000
    /// 400 x 300 pixels of 4 bytes.
    private static let thumbnail = 480_000
    /// The memory for resampling 4000 x 3000 to 400 x 300 with a filter 60 rows high: 96 bytes for each line, and 62
    /// rows of 400 pixels of 8 bytes.
    private static let resampling = 96 * 7000 + 62 * 400 * 8
    /// 100 x 100 pixels of 4 bytes, padded.
    private static let frame = 448 * 100

    static let cases = [
        Case(testDescription: "as it is", expected: whole),
        Case(testDescription: "to be turned by half", orientation: .down, expected: whole),
        Case(testDescription: "rows that become columns", orientation: .right, expected: whole + turned),
        Case(
            testDescription: "as stored", orientation: .right, context: [.keepsOrientation], expected: whole),
        Case(testDescription: "16 bits that become 8", bitDepth: 16, expected: whole),
        Case(testDescription: "16 bits", bitDepth: 16, context: [.nativeDepth], expected: 2 * whole),
        Case(testDescription: "coefficients", working: 1000, expected: whole + 1000),
        Case(testDescription: "nonsense of a decoder", working: -1000, expected: whole),
        Case(
            testDescription: "a thumbnail", context: [.thumbnailPixelSize(400, 300)],
            expected: thumbnail + resampling),
        Case(
            testDescription: "a thumbnail to be turned", orientation: .down, context: [.thumbnailPixelSize(400, 300)],
            expected: 2 * thumbnail + resampling),
        Case(
            testDescription: "a thumbnail of all at once", working: whole, context: [.thumbnailPixelSize(400, 300)],
            expected: whole + thumbnail + resampling),
        Case(
            testDescription: "a thumbnail of 16 bits that become 8", bitDepth: 16,
            context: [.thumbnailPixelSize(400, 300)],
            expected: 3 * thumbnail + 96 * 7000 + 62 * 400 * 16),
        Case(
            testDescription: "no more bytes than that", context: [.scaleDownLimitBytes(480_000)],
            expected: thumbnail + resampling),
        Case(
            testDescription: "an animation", size: PixelSize(100, 100), frameCount: 10, expected: 2 * frame),
        Case(
            testDescription: "a frame of it", size: PixelSize(100, 100), frameCount: 10,
            context: [.frame(3), .preloadsFrames], expected: 2 * frame),
        Case(
            testDescription: "all frames of it, and as many canvases", size: PixelSize(100, 100), frameCount: 10,
            context: [.preloadsFrames], expected: 21 * frame),
        Case(
            testDescription: "frames that are transformed later", size: PixelSize(100, 100), frameCount: 10,
            context: [.preloadsFrames, .transformer(FakeTransformer())], expected: 2 * frame),
        Case(
            testDescription: "a resize that is done while decoding",
            context: [.transformer(.resize(width: 30, height: 30, mode: .fill))],
            expected: 30 * 128 + 96 * 7000 + 602 * 30 * 8),
        // 20 frames of 200 x 100 pixels, and two of the original size.
        Case(
            testDescription: "frames that are enlarged while decoding", size: PixelSize(100, 100), frameCount: 10,
            context: [.preloadsFrames, .transformer(.resize(width: 200, height: 100, mode: .stretch))],
            expected: 20 * 832 * 100 + 2 * frame + 96 * 200 + 8 * 200 * 8),
        Case(testDescription: "more than can be", size: PixelSize(.max, .max), expected: .max),
        Case(
            testDescription: "a thumbnail of more than can be", size: PixelSize(2, .max),
            context: [.thumbnailPixelSize(1, 1), .off(.preservesAspectRatio)], expected: .max),
    ]

    @Test(arguments: DecodeCostTests.cases)
    func `the cost of a decode follows from the header and the options`(file: Case) throws {
        let decoder = Decoder(info: file.info, workingByteCount: file.working)
        let cost = try DecodeCost(
            of: file.info, in: ImageBytes(Data()), by: decoder,
            options: DecodeOptions(ResolvedContext(file.context)))
        #expect(cost.byteCount == file.expected)
    }

    @Test func `a preview costs as much as its frame`() throws {
        let file = Case(
            testDescription: "", size: PixelSize(100, 100), frameCount: 10, context: [.preloadsFrames], expected: 0)
        let decoder = Decoder(info: file.info, workingByteCount: 0)
        let options = DecodeOptions(ResolvedContext(file.context))
        #expect(try DecodeCost(of: file.info, in: nil, by: decoder, options: options).byteCount == 2 * Self.frame)
    }

    @Test func `an existing image costs as much as the result`() throws {
        func cost(_ format: PixelFormat, _ context: ImageContext) throws -> Int {
            let layout = PixelLayout(size: PixelSize(400, 300), format: format)
            let image = Image(pixels: try PixelBufferBuilder(layout: layout).finish())
            return try DecodeCost(cutting: image, to: DecodeOptions(ResolvedContext(context))).byteCount
        }
        let resampling = 96 * 700 + 62 * 40 * 8
        #expect(try cost(.rgba8, []) == 0)
        #expect(try cost(.rgba16, [.nativeDepth]) == 0)
        #expect(try cost(.rgba16, []) == Self.thumbnail)
        #expect(try cost(.rgba8, [.thumbnailPixelSize(40, 30)]) == 192 * 30 + resampling)
        #expect(try cost(.rgba16, [.thumbnailPixelSize(40, 30)]) == Self.thumbnail + 192 * 30 + resampling)
    }
}
