import CalotypeTesting
import Testing

@testable import Calotype

/// Pictures that are reduced until their pixels fit into the byte limit of a request.
@Suite(.timeLimit(.minutes(5)))
struct ScaleDownTests {
    private func makeManager(_ coder: any ImageCoder = RawImageCoder()) -> ImageManager {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(coder)
        return manager
    }

    private func targetSize(_ context: ImageContext, of info: ImageInfo) -> PixelSize {
        DecodeOptions(ResolvedContext(context)).targetSize(of: info)
    }

    private func info(
        _ size: PixelSize, orientation: Orientation = .up, bitDepth: Int = 8, frameCount: Int = 0
    ) -> ImageInfo {
        ImageInfo(
            format: RawImageCoder.format, pixelSize: size, orientation: orientation, hasAlpha: false,
            bitDepth: bitDepth,
            frames: Array(
                repeating: FrameInfo(duration: .seconds(1), region: PixelRegion(size: size)), count: frameCount))
    }

    @Test(arguments: Orientation.allCases)
    func `a picture is scaled down to the byte limit, whatever its stored orientation`(
        orientation: Orientation
    ) async throws {
        let pixels = try PixelBuffer.noise(PixelSize(31, 22), isOpaque: true, seed: 1)
        let manager = makeManager(ScriptedCoder(conduct: .rows, pixels: pixels, orientation: orientation))
        let made = try await manager.decode(ScriptedCoder.file, context: [.scaleDownLimitBytes(1000)])
        #expect(made.size == orientation.displaySize(of: PixelSize(18, 13)))
        #expect(made.attributes.originalSize == orientation.displaySize(of: pixels.size))
        let expected = try pixels.resampled(to: PixelSize(18, 13)).upright(from: orientation)
        #expect(made.pixels.levels == expected.levels)
        #expect(made.pixels.isOpaque)

        let kept = try await manager.decode(
            ScriptedCoder.file, context: [.scaleDownLimitBytes(1000), .keepsOrientation])
        #expect(kept.size == PixelSize(18, 13))
        #expect(kept.attributes.orientation == orientation)
    }

    @Test(arguments: [0, 31 * 22 * 4, Int.max])
    func `a picture within the byte limit is unchanged`(byteCount: Int) async throws {
        let pixels = try PixelBuffer.noise(PixelSize(31, 22), seed: 2)
        let manager = makeManager(ScriptedCoder(conduct: .rows, pixels: pixels))
        let made = try await manager.decode(ScriptedCoder.file, context: [.scaleDownLimitBytes(byteCount)])
        #expect(made.size == pixels.size)
        #expect(made.pixels.levels == pixels.levels)
    }

    @Test func `a limit of one byte gives a single pixel`() async throws {
        let file = RawImageCoder.file(width: 80, height: 60)
        let made = try await makeManager().decode(file, context: [.scaleDownLimitBytes(1)])
        #expect(made.size == PixelSize(1, 1))
    }

    @Test func `a picture made smaller has all its rows`() async throws {
        let file = RawImageCoder.file(RawImageCoder.Header(width: 103, height: 103)) { _, _, _ in
            SIMD4(0, 0, 0, 255)
        }
        let made = try await makeManager().decode(file, context: [.scaleDownLimitBytes(10 << 10)])
        #expect(made.size == PixelSize(50, 50))
        #expect(made.colors.allSatisfy { $0 == PixelColor(red: 0, green: 0, blue: 0, alpha: 1) })
    }

    @Test func `a thumbnail within the byte limit is unchanged, a larger one shrinks in its shape`() {
        let large = info(PixelSize(4000, 3000))
        let thumbnail: ImageContext = [.thumbnailPixelSize(400, 400)]
        #expect(targetSize(thumbnail.merging([.scaleDownLimitBytes(480_000)]), of: large) == PixelSize(400, 300))
        #expect(targetSize(thumbnail.merging([.scaleDownLimitBytes(120_000)]), of: large) == PixelSize(200, 150))
        let stretched: ImageContext = [.thumbnailPixelSize(400, 100), .preservesAspectRatio(false)]
        #expect(targetSize(stretched.merging([.scaleDownLimitBytes(40_000)]), of: large) == PixelSize(200, 50))
        // The size and the shape of the thumbnail refer to the upright picture.
        let turned = info(PixelSize(4000, 3000), orientation: .right)
        let narrow: ImageContext = [.thumbnailPixelSize(0, 400), .scaleDownLimitBytes(120_000)]
        #expect(targetSize(narrow, of: turned) == PixelSize(200, 150))
    }

    @Test func `a pixel takes eight bytes if more than eight bits are kept`() {
        for (context, bitDepth, size) in [
            ([], 16, PixelSize(200, 150)), ([.nativeDepth], 16, PixelSize(141, 106)),
            ([.nativeDepth], 10, PixelSize(141, 106)), ([.nativeDepth], 8, PixelSize(200, 150)),
        ] as [(ImageContext, Int, PixelSize)] {
            let made = targetSize(
                context.merging([.scaleDownLimitBytes(120_000)]), of: info(PixelSize(400, 300), bitDepth: bitDepth))
            #expect(made == size, "\(bitDepth) bits")
        }
    }

    @Test func `all decoded frames count toward the limit`() {
        let animation = info(PixelSize(400, 300), frameCount: 4)
        #expect(targetSize([.scaleDownLimitBytes(480_000)], of: animation) == PixelSize(200, 150))
        #expect(targetSize([.scaleDownLimitBytes(480_000), .frame(2)], of: animation) == PixelSize(400, 300))
    }

    @Test func `requests with different limits have different variants`() async throws {
        let bench = Bench()
        let sizes = [(1200, PixelSize(20, 15)), (4799, PixelSize(39, 29)), (4800, PixelSize(40, 30))]
        for (byteCount, size) in sizes + sizes {
            let request = bench.request([.scaleDownLimitBytes(byteCount)])
            #expect(try await bench.manager.image(for: request).size == size)
        }
        #expect(bench.loader.loadCount == 1)
        #expect(try await bench.manager.image(for: bench.request()).size == PixelSize(40, 30))
    }

    @Test func `an original in memory is scaled down to the byte limit`() async throws {
        let bench = Bench()
        let whole = try await bench.manager.image(for: bench.request())
        let cases: [(context: ImageContext, size: PixelSize)] = [
            ([.scaleDownLimitBytes(1200)], PixelSize(20, 15)),
            ([.scaleDownLimitBytes(1200), .thumbnailPixelSize(8, 8)], PixelSize(8, 6)),
        ]
        for (context, size) in cases {
            let request = bench.request(
                context.merging([.originalQueryCacheType(.memory), .fromCacheOnly]))
            let made = try await bench.manager.image(for: request)
            #expect(made.pixels.levels == (try whole.pixels.resampled(to: size).levels))
        }
        #expect(bench.coder.decodeCount == 1)
    }
}
