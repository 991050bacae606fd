#if JPEG
import Calotype
import CalotypeJPEG
import CoderKit
import Testing

/// Thumbnails compared with exact resampling of the pixels of libjpeg-turbo's own tool.
@Suite(.timeLimit(.minutes(5)))
struct JPEGThumbnailTests {
    static let kinds = [
        "baseline-444", "baseline-422", "baseline-420", "baseline-440", "gray", "progressive-444", "progressive-422",
        "progressive-420", "progressive-440", "gray-progressive", "separate-scans", "restart-blocks", "arithmetic",
    ]

    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    /// Returns the difference between a thumbnail and the exact one.
    private func difference(
        _ fixture: Fixture, width: Int, _ context: ImageContext = []
    ) async throws -> SampleDifference {
        let wanted: ImageContext = [.thumbnailPixelSize(width, 0)]
        let image = try await manager.decode(fixture.jpeg(), context: wanted.merging(context))
        #expect(image.size == fixture.size.fitting(PixelSize(width, 0)))
        let exact = ExactThumbnail.samples(of: try fixture.samples(), fixture.size, at: image.size)
        return SampleDifference(image.pixels.samples, exact)
    }

    @Test(arguments: JPEGThumbnailTests.kinds)
    func `a thumbnail without reduction is nearly exact, from planes or rows`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        let isGray = fixture.colorModel == "gray"
        for width in [60, 40, 25, 20, 16] {
            // Colors outside sRGB differ, since they are clipped before or after resampling. Chroma that is enlarged
            // differently, or displaced by a quarter of a sample, would give at least 5.
            let difference = try await difference(fixture, width: width)
            #expect(difference.meanSquare < (isGray ? 0.2 : 1.5), "\(width) wide")
            #expect(difference.largest <= (isGray ? 1 : 30), "\(width) wide")
        }
    }

    @Test func `a large picture fits its box exactly`() async throws {
        let data = JPEGSegment.flatPicture(PixelSize(5250, 3450))
        let image = try await manager.decode(data, context: [.thumbnailPixelSize(400, 300)])
        #expect(image.size == PixelSize(400, 263))
        #expect(image.attributes.originalSize == PixelSize(5250, 3450))
        let isFlat = image.pixels.samples.enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : 128) }
        #expect(isFlat)
    }

    @Test(arguments: [("small", 25), ("small", 20), ("small", 15), ("size-16x16", 7), ("size-9x9", 4), ("size-9x9", 7)])
    func `small planes are resampled as well`(_ name: String, _ width: Int) async throws {
        let difference = try await difference(Fixture.named(name), width: width)
        #expect(difference.meanSquare < 1.5)
        #expect(difference.largest <= 30)
    }

    @Test(arguments: JPEGThumbnailTests.kinds + ["cmyk", "cmyk-without-adobe", "ycck-420"])
    func `an exact thumbnail is exact`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        for width in [60, 40, 25, 15, 7, 1] {
            let difference = try await difference(fixture, width: width, [.thumbnailQuality(.exact)])
            #expect(difference.largest <= 1, "\(width) wide")
        }
    }

    @Test(arguments: [
        "baseline-444", "baseline-422", "baseline-440", "baseline-420", "gray", "progressive-444", "progressive-420",
        "gray-progressive",
    ])
    func `a thumbnail with reduction is still close`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        for width in [15, 7, 4] {
            let difference = try await difference(fixture, width: width)
            #expect(difference.meanSquare < 10, "\(width) wide")
            #expect(difference.largest <= 25, "\(width) wide")
        }
    }

    @Test(arguments: JPEGThumbnailTests.kinds)
    func `the fastest thumbnail is still recognizable`(_ name: String) async throws {
        let fixture = try Fixture.named(name)
        for width in [31, 16, 8] {
            let difference = try await difference(fixture, width: width, [.thumbnailQuality(.fast)])
            #expect(difference.meanSquare < 200, "\(width) wide")
        }
    }
}
#endif
