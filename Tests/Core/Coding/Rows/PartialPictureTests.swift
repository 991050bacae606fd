import CalotypeTesting
import Testing

@testable import Calotype

/// Partial results of damaged or truncated pictures, for requests that allow them.
@Suite(.timeLimit(.minutes(5)))
struct PartialPictureTests {
    private static let size = PixelSize(23, 18)
    private static let damage = ImageError(.badData, stage: .decode, message: "ends in a row")

    /// An error other than `ImageError`.
    private struct ForeignError: Error {}

    private func makeManager(_ coder: any ImageCoder) -> ImageManager {
        let manager = ImageManager(context: [.off(.imageCache)])
        manager.registry.coders.add(coder)
        return manager
    }

    private func decode(_ coder: any ImageCoder, _ context: ImageContext) async throws -> Image {
        try await makeManager(coder).decode(ScriptedCoder.file, context: context)
    }

    /// Returns a coder of a picture that breaks off after `rowCount` rows.
    private func makeCoder(
        _ pixels: PixelBuffer, conduct: ScriptedCoder.Conduct = .rows, breaksOffAfter rowCount: Int,
        error: any Error = PartialPictureTests.damage
    ) -> ScriptedCoder {
        ScriptedCoder(
            conduct: conduct, pixels: pixels, failure: ScriptedCoder.Failure(rowCount: rowCount, error: error))
    }

    /// Returns a picture whose rows after the first `rowCount` are transparent.
    private func cutOff(_ pixels: PixelBuffer, after rowCount: Int) throws -> PixelBuffer {
        let levels = pixels.levels
        return try PixelBuffer.drawn(pixels.size, pixels.format) { x, y in
            let pixel = (y * pixels.width + x) * 4
            return y < rowCount ? Array(levels[pixel..<pixel + 4]) : [0, 0, 0, 0]
        }
    }

    // MARK: Available rows

    @Test(arguments: Orientation.allCases, [ScriptedCoder.Conduct.rows, .whole])
    func `complete rows are shown, and the rest is transparent`(
        orientation: Orientation, conduct: ScriptedCoder.Conduct
    ) async throws {
        for format in PixelFormat.allCases {
            let pixels = try PixelBuffer.noise(Self.size, format, isOpaque: true, seed: 1)
            for rowCount in [1, 9, 17] {
                var coder = makeCoder(pixels, conduct: conduct, breaksOffAfter: rowCount)
                coder.orientation = orientation
                let made = try await decode(coder, [.allowPartial, .nativeDepth])
                #expect(made.attributes.isPartial)
                let expected = try cutOff(pixels, after: rowCount).upright(from: orientation)
                #expect(made.pixels.layout == expected.layout)
                let isEqual = made.pixels.levels == expected.levels
                #expect(isEqual, "\(format), \(rowCount) rows")

                let usual = try await decode(coder, [.allowPartial])
                #expect(usual.pixels.format == .rgba8)
                #expect(!usual.pixels.isOpaque)
                let alphas = usual.colors.map(\.alpha)
                #expect(alphas == made.colors.map(\.alpha))
            }
        }
    }

    @Test(arguments: PixelFormat.allCases, [ScriptedCoder.Conduct.rows, .whole])
    func `a thumbnail treats missing rows as transparent`(
        format: PixelFormat, conduct: ScriptedCoder.Conduct
    ) async throws {
        let pixels = try PixelBuffer.noise(Self.size, format, isOpaque: true, seed: 2)
        for resampling in [Resampling(), Resampling(linear: true), Resampling(filter: .nearest)] {
            for (size, rowCount) in [(PixelSize(9, 7), 8), (PixelSize(9, 7), 1), (PixelSize(11, 9), 17)] {
                var context: ImageContext = [
                    .allowPartial, .nativeDepth, .thumbnailPixelSize(size.width, size.height),
                    .preservesAspectRatio(false), .resamplingFilter(resampling.filter),
                ]
                if resampling.isLinear { context = context.merging([.linearLight]) }
                let coder = makeCoder(pixels, conduct: conduct, breaksOffAfter: rowCount)
                let made = try await decode(coder, context)
                #expect(made.attributes.isPartial)
                let expected = try cutOff(pixels, after: rowCount).resampled(to: size, resampling: resampling)
                #expect(made.pixels.layout == expected.layout)
                let isEqual = made.pixels.levels == expected.levels
                #expect(isEqual, "\(rowCount) rows as \(size)")
            }
        }
    }

    @Test func `the edge of the missing part is not darkened`() async throws {
        let pixels = try PixelBuffer.drawn(PixelSize(40, 40), isOpaque: true) { _, _ in [200, 100, 50, 255] }
        let made = try await decode(
            makeCoder(pixels, breaksOffAfter: 21), [.allowPartial, .thumbnailPixelSize(13, 13)])
        let levels = made.pixels.levels
        var seen = Set<Double>()
        for pixel in stride(from: 0, to: levels.count, by: 4) where levels[pixel + 3] >= 64 {
            seen.insert(levels[pixel + 3])
            #expect(abs(levels[pixel] - 200) <= 2)
            #expect(abs(levels[pixel + 1] - 100) <= 2)
            #expect(abs(levels[pixel + 2] - 50) <= 2)
        }
        #expect(seen.count > 1, "some pixels at the edge are translucent")
        #expect(levels[3] == 255)
        #expect(levels.last == 0)
    }

    @Test func `all rows are kept if a decoder fails after the last one`() async throws {
        let pixels = try PixelBuffer.noise(Self.size, isOpaque: true, seed: 3)
        let coder = makeCoder(pixels, breaksOffAfter: Self.size.height)
        let made = try await decode(coder, [.allowPartial])
        #expect(made.attributes.isPartial)
        #expect(made.pixels.isOpaque)
        #expect(made.pixels.levels == pixels.levels)
        let thumbnail = try await decode(coder, [.allowPartial, .thumbnailPixelSize(9, 9)])
        #expect(thumbnail.attributes.isPartial)
        #expect(thumbnail.pixels.isOpaque)
    }

    @Test(arguments: [ScriptedCoder.Conduct.rows, .whole])
    func `the colors of complete rows are converted`(conduct: ScriptedCoder.Conduct) async throws {
        let pixels = try PixelBuffer.noise(Self.size, isOpaque: true, seed: 4)
        var coder = makeCoder(pixels, conduct: conduct, breaksOffAfter: 7)
        coder.profile = .icc(Data([1, 2, 3]))
        let manager = makeManager(coder)
        manager.registry.colorConverters.add(Inverter())
        let made = try await manager.decode(ScriptedCoder.file, context: [.allowPartial])
        let (levels, source) = (made.pixels.levels, pixels.levels)
        for pixel in stride(from: 0, to: levels.count, by: 4) {
            guard pixel < 7 * Self.size.width * 4 else {
                #expect(levels[pixel + 3] == 0)
                continue
            }
            #expect(Array(levels[pixel..<pixel + 4]) == source[pixel..<pixel + 3].map { 255 - $0 } + [255])
        }
    }

    /// A color converter that inverts all colors.
    private struct Inverter: ColorConverter, RowConverter {
        func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? { self }

        func convert(_ row: inout MutableRawSpan) {
            row.withUnsafeMutableBytes { bytes in
                for index in bytes.indices where index % 4 != 3 { bytes[index] = 255 - bytes[index] }
            }
        }
    }

    @Test func `missing rows of a CMYK picture are transparent, not white`() async throws {
        let inks = try PixelBuffer.noise(Self.size, seed: 5)
        for context: ImageContext in [[], [.thumbnailPixelSize(9, 9)]] {
            var coder = makeCoder(inks, breaksOffAfter: 9)
            coder.channels = .cmyk
            let made = try await decode(coder, context.merging([.allowPartial]))
            #expect(made.attributes.isPartial)
            #expect(!made.pixels.isOpaque)
            #expect(made.pixels.color(x: 0, y: 0).alpha == 1)
            #expect(made.pixels.color(x: 0, y: made.height - 1).alpha == 0)
        }
    }

    @Test func `an incomplete CMYK picture delivered at once is an error, since no ink is white`() async throws {
        var coder = makeCoder(try PixelBuffer.noise(Self.size, seed: 6), conduct: .whole, breaksOffAfter: 9)
        coder.channels = .cmyk
        let error = await imageError { try await decode(coder, [.allowPartial]) }
        #expect(error?.code == .badData)
    }

    // MARK: Errors

    @Test func `bad or missing data is tolerated, whatever the type of the error`() async throws {
        let pixels = try PixelBuffer.noise(Self.size, seed: 7)
        let incomplete = ImageError(.incomplete, stage: .decode, message: "ends early")
        for error in [Self.damage, incomplete, ForeignError()] as [any Error] {
            let coder = makeCoder(pixels, breaksOffAfter: 9, error: error)
            let made = try await decode(coder, [.allowPartial])
            #expect(made.attributes.isPartial)
            let refused = await imageError { try await decode(coder, []) }
            #expect(refused?.code == (error as? ImageError)?.code ?? .badData)
        }
    }

    @Test(
        arguments: [ImageError.Code.limitExceeded, .cancelled, .timedOut, .outOfMemory],
        [ScriptedCoder.Conduct.rows, .whole])
    func `other errors are not tolerated`(code: ImageError.Code, conduct: ScriptedCoder.Conduct) async throws {
        let error = ImageError(code, stage: .decode, message: "stopped")
        for rowCount in [9, Self.size.height] {
            let coder = makeCoder(
                try PixelBuffer.noise(Self.size, seed: 8), conduct: conduct, breaksOffAfter: rowCount, error: error)
            let thrown = await imageError { try await decode(coder, [.allowPartial]) }
            #expect(thrown?.code == code)
        }
    }

    @Test func `a picture without a single row is an error`() async throws {
        let pixels = try PixelBuffer.noise(Self.size, seed: 9)
        for conduct in [ScriptedCoder.Conduct.rows, .whole] {
            let coder = makeCoder(pixels, conduct: conduct, breaksOffAfter: 0)
            for context: ImageContext in [[.allowPartial], [.allowPartial, .thumbnailPixelSize(9, 9)]] {
                let error = await imageError { try await decode(coder, context) }
                #expect(error?.code == .badData)
                #expect(error?.message == Self.damage.message)
            }
        }
    }

    // MARK: Complete pictures

    @Test(arguments: PixelFormat.allCases)
    func `a complete picture keeps its opacity`(format: PixelFormat) async throws {
        let pixels = try PixelBuffer.noise(Self.size, format, isOpaque: true, seed: 10)
        for conduct in [ScriptedCoder.Conduct.rows, .whole] {
            let coder = ScriptedCoder(conduct: conduct, pixels: pixels)
            let made = try await decode(coder, [.allowPartial, .nativeDepth])
            #expect(!made.attributes.isPartial)
            #expect(made.pixels.layout == pixels.layout)
            let isEqual = made.pixels.levels == pixels.levels
            #expect(isEqual)

            // In floating point, the last bit of an average may differ.
            guard format != .rgbaFloat else { continue }
            let context: ImageContext = [.nativeDepth, .thumbnailPixelSize(9, 9)]
            let thumbnail = try await decode(coder, context.merging([.allowPartial]))
            #expect(!thumbnail.attributes.isPartial)
            #expect(thumbnail.pixels.isOpaque)
            let usual = try await decode(coder, context)
            let difference = LevelDifference(thumbnail.pixels.levels, usual.pixels.levels, full: format.fullLevel)
            #expect(difference.alpha == 0)
            #expect(difference.color <= 1)
        }
    }

    @Test func `planes are not used, since they have no alpha`() throws {
        let layout = PlanarLayout(size: PixelSize(40, 30), chromaSize: PixelSize(20, 15))
        let info = ImageInfo(format: ScriptedCoder.format, pixelSize: layout.size, hasAlpha: false)
        func isWanted(_ context: ImageContext) throws -> Bool {
            let options = DecodeOptions(ResolvedContext(context.merging([.thumbnailPixelSize(10, 10)])))
            var rows = try RowPipeline(info: info, options: options, job: Job()) { _, _ in nil }
            return try rows.beginPlanes(layout)
        }
        #expect(try isWanted([]))
        #expect(try !isWanted([.allowPartial]))
    }
}
