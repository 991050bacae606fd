import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct FrameTests {
    private static let region = PixelRegion(size: PixelSize(4, 3))

    // MARK: Durations

    @Test(
        arguments: [
            (0, 100), (1, 100), (10, 100), (10.9, 100), (10.999, 100), (11, 11), (11.1, 11.1), (100, 100), (-5, 100),
            (60_000, 60_000),
        ] as [(Double, Double)])
    func `a frame duration below 11 milliseconds becomes 100`(
        stated: Double, shown: Double
    ) throws {
        let info = FrameInfo(duration: .milliseconds(stated), region: Self.region)
        #expect(info.duration == .milliseconds(shown))
        let pixels = try PixelBuffer.noise(PixelSize(4, 3), seed: 1)
        let list = FrameList([(pixels, .milliseconds(stated)), (pixels, .seconds(1))])
        #expect(list.duration(ofFrame: 0) == .milliseconds(shown))
    }

    @Test(arguments: [(0, 100), (10.9, 100), (11, 11), (100, 100)] as [(Double, Double)])
    func `a duration stated in a file is adjusted in the same way`(stated: Double, shown: Double) async throws {
        var header = RawImageCoder.Header(width: 4, height: 3)
        var frame = RawImageCoder.Frame(width: 4, height: 3)
        frame.milliseconds = stated
        header.frames = [frame, frame]
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(RawImageCoder())
        let file = RawImageCoder.file(header) { _, _, _ in SIMD4(1, 2, 3, 255) }
        #expect(try await manager.info(of: file).durations == [.milliseconds(shown), .milliseconds(shown)])
        let image = try await manager.decode(file)
        #expect(image.frames?.duration(ofFrame: 1) == .milliseconds(shown))
    }

    // MARK: Regions

    @Test func `a region is inside a picture when all of it is`() {
        let canvas = PixelSize(10, 8)
        let inside = [(0, 0, 10, 8), (0, 0, 1, 1), (9, 7, 1, 1), (3, 2, 7, 6)]
        for (x, y, width, height) in inside {
            #expect(PixelRegion(x: x, y: y, size: PixelSize(width, height)).isInside(canvas))
        }
        let outside: [(Int, Int, Int, Int)] = [
            (-1, 0, 4, 4), (0, -1, 4, 4), (0, 0, 11, 8), (0, 0, 10, 9), (1, 0, 10, 8), (0, 1, 10, 8), (10, 0, 1, 1),
            (0, 8, 1, 1), (2, 2, 0, 3), (2, 2, 3, 0), (2, 2, -3, 3), (.max, 0, 1, 1), (1, 1, .max, 1),
            (.max, .max, .max, .max), (0, .min, 1, 1), (0, 0, .min, 1),
        ]
        for (x, y, width, height) in outside {
            let region = PixelRegion(x: x, y: y, size: PixelSize(width, height))
            #expect(!region.isInside(canvas), "\(region)")
        }
        #expect(!PixelRegion(size: PixelSize(1, 1)).isInside(PixelSize(0, 0)))
    }

    // MARK: Lists

    @Test func `a frame list returns its frames and counts their memory`() throws {
        let pictures = try (0..<3 as Range<UInt64>).map { try PixelBuffer.noise(PixelSize(4, 3), seed: $0) }
        let list = FrameList(pictures.map { ($0, .milliseconds(40)) }, loopCount: -2)
        #expect(list.frameCount == 3)
        #expect(list.loopCount == 0)
        for (index, picture) in pictures.enumerated() {
            #expect(try list.frame(index, job: Job()).levels == picture.levels)
        }
        let image = Image(pixels: pictures[0], frames: list)
        #expect(image.isAnimated)
        #expect(image.byteCount == 3 * pictures[0].byteCount)
        for index in [-1, 3] {
            let error = #expect(throws: ImageError.self) { try list.frame(index, job: Job()) }
            #expect(error?.code == .noSuchFrame)
        }
    }

    // MARK: Kept beside a variant

    @Test func `attributes missing in a variant's file are restored, including isPartial`() throws {
        let pixels = try PixelBuffer.noise(PixelSize(4, 3), seed: 1)
        for isPartial in [false, true] {
            let attributes = Image.Attributes(
                format: RawImageCoder.format, originalSize: PixelSize(9, 9), isPartial: isPartial)
            let stored = Image(pixels: pixels, attributes: attributes).storedAttributes
            let restored = Image(pixels: pixels).restoring(stored).attributes
            #expect(restored.format?.name == "raw")
            #expect(restored.originalSize == PixelSize(9, 9))
            #expect(restored.isPartial == isPartial)
        }
    }
}
