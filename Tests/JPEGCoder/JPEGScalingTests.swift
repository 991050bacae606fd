#if JPEG
import Calotype
@testable import CalotypeJPEG
import CoderKit
import Testing

/// Pictures that are reduced by 2, 4 or 8 while they are decoded, as long as both sides stay at least twice as long as
/// the requested size, or at least as long if the request says so.
@Suite(.timeLimit(.minutes(5)))
struct JPEGScalingTests {
    /// The requested size of a 61x47 picture, and the expected reduction.
    struct Wish: Sendable, CustomTestStringConvertible {
        let context: ImageContext
        let reduction: Int
        let testDescription: String

        init(
            _ width: Int, _ height: Int, stretched: Bool = false, _ quality: ThumbnailQuality = .balanced,
            linear: Bool = false, filter: ResamplingFilter = .lanczos3, reduction: Int
        ) {
            let light: ImageContext = linear ? [.linearLight] : []
            let wanted: ImageContext = [
                .thumbnailPixelSize(width, height), .preservesAspectRatio(!stretched), .thumbnailQuality(quality),
                .resamplingFilter(filter),
            ]
            context = wanted.merging(light)
            self.reduction = reduction
            testDescription =
                "\(width)x\(height)\(stretched ? ", stretched" : ""), \(quality), \(filter)"
                + "\(linear ? ", linear" : ""): divided by \(reduction)"
        }
    }

    static let wishes = [
        Wish(0, 0, reduction: 1),
        Wish(500, 400, reduction: 1),
        // Needs 16x13; twice that is 32x26, but the half is 31x24.
        Wish(16, 0, reduction: 1),
        // Needs 15x12; twice that is 30x24, and the half is 31x24.
        Wish(15, 0, reduction: 2),
        Wish(15, 100, reduction: 2),
        Wish(0, 12, reduction: 1),
        // Needs 8x7; twice that is 16x14, but the quarter is 16x12.
        Wish(8, 0, reduction: 2),
        // Needs 8x6; twice that is 16x12, and the quarter is 16x12.
        Wish(0, 6, reduction: 4),
        Wish(7, 7, reduction: 4),
        // Needs 4x4; twice that is 8x8, but the eighth is 8x6.
        Wish(4, 0, reduction: 4),
        // Needs 3x3; twice that is 6x6, and the eighth is 8x6.
        Wish(3, 0, reduction: 8),
        Wish(1, 1, reduction: 8),
        Wish(4, 3, stretched: true, reduction: 8),
        Wish(4, 47, stretched: true, reduction: 1),
        Wish(30, 3, stretched: true, reduction: 1),
        Wish(15, 500, stretched: true, reduction: 1),
        Wish(15, 3, stretched: true, reduction: 2),
        // The requested number of pixels suffices: 31x24, 16x12, 8x6.
        Wish(0, 0, .fast, reduction: 1),
        Wish(32, 0, .fast, reduction: 1),
        Wish(31, 0, .fast, reduction: 2),
        // Needs 32x24.
        Wish(0, 24, .fast, reduction: 1),
        Wish(0, 23, .fast, reduction: 2),
        // Needs 16x13.
        Wish(16, 0, .fast, reduction: 2),
        Wish(15, 0, .fast, reduction: 4),
        Wish(0, 6, .fast, reduction: 8),
        Wish(1, 1, .fast, reduction: 8),
        Wish(1, 1, .exact, reduction: 1),
        Wish(15, 0, .exact, reduction: 1),
        // A reduced picture is not averaged in linear light.
        Wish(7, 0, linear: true, reduction: 1),
        Wish(7, 0, .exact, linear: true, reduction: 1),
        Wish(15, 0, .fast, linear: true, reduction: 4),
        // Its pixels are not those of the picture either.
        Wish(7, 0, filter: .nearest, reduction: 1),
        Wish(7, 0, .fast, filter: .nearest, reduction: 1),
        Wish(7, 7, filter: .box, reduction: 4),
        Wish(7, 7, filter: .catmullRom, reduction: 4),
    ]

    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    /// Returns the decoder's picture, before it is resampled to the exact size.
    private func decoded(_ fixture: Fixture, _ context: ImageContext) throws -> PixelBuffer {
        let options = DecodeOptions(ResolvedContext(context))
        let bytes = ImageBytes(try fixture.jpeg())
        return try #require(try JPEGCoder().decoder(for: bytes, options: options)).collected()
    }

    // MARK: Selection

    @Test(arguments: JPEGScalingTests.wishes, ["baseline-420", "progressive-420", "gray"])
    func `the largest reduction that keeps enough pixels is used`(_ wish: Wish, _ name: String) throws {
        let fixture = try Fixture.named(name)
        let pixels = try decoded(fixture, wish.context)
        let expected = try fixture.samples(reducedBy: wish.reduction)
        #expect(pixels.size == fixture.size(reducedBy: wish.reduction))
        #expect(SampleDifference(pixels.samples, expected) == .zero)
    }

    @Test(arguments: try Fixture.all())
    func `reduced pixels equal those of libjpeg-turbo's own tool`(_ fixture: Fixture) throws {
        for reduction in Fixture.reductions {
            let size = fixture.size(reducedBy: reduction)
            let needed = PixelSize(width: size.width / 2, height: size.height / 2)
            guard !needed.isEmpty else { continue }
            let context: ImageContext = [
                .thumbnailPixelSize(needed.width, needed.height), .preservesAspectRatio(false), .keepsOrientation,
            ]
            // Sides are rounded up, so that a smaller reduction of a small picture may suffice.
            let chosen = Fixture.reductions.last { smaller in
                let size = fixture.size(reducedBy: smaller)
                return size.width >= 2 * needed.width && size.height >= 2 * needed.height && fixture.tells(smaller)
            }
            let pixels = try decoded(fixture, context)
            let expected = try fixture.samples(reducedBy: chosen ?? 1)
            #expect(SampleDifference(pixels.samples, expected) == .zero, "reduced by \(reduction)")
        }
    }

    @Test func `an ambiguous reduction is not used`() {
        // 13 pixels of 97 could be a seventh or an eighth; so could 7 of 49.
        for (side, wish, divisor) in [(97, 6, 4), (49, 3, 4), (96, 6, 8), (17, 2, 2)] {
            let info = ImageInfo(format: .jpeg, pixelSize: PixelSize(side, side), hasAlpha: false)
            let options = DecodeOptions(ResolvedContext([.thumbnailPixelSize(wish, wish)]))
            #expect(options.jpegDivisor(for: info) == divisor, "\(side) to \(wish)")
        }
    }

    @Test(arguments: [(61 * 47 * 4, 1), (61 * 47 * 4 - 1, 1), (720, 2), (192, 4), (48, 8)])
    func `a byte limit reduces like a thumbnail size`(_ limit: Int, _ reduction: Int) throws {
        // 15x11, 7x6 and 3x3 fit into the last three limits.
        for name in ["baseline-420", "progressive-420", "gray"] {
            let fixture = try Fixture.named(name)
            let pixels = try decoded(fixture, [.scaleDownLimitBytes(limit)])
            let expected = try fixture.samples(reducedBy: reduction)
            #expect(pixels.size == fixture.size(reducedBy: reduction))
            #expect(SampleDifference(pixels.samples, expected) == .zero)
            let exact = try decoded(fixture, [.scaleDownLimitBytes(limit), .thumbnailQuality(.exact)])
            #expect(exact.size == fixture.size)
        }
    }

    @Test(arguments: [Orientation.leftMirrored, .right, .rightMirrored, .left])
    func `the needed size is that of the upright picture`(_ orientation: Orientation) throws {
        let fixture = try Fixture.named("orientation-\(orientation.rawValue)")
        // 4x3 upright: 6x8 of the stored 24x32.
        let upright = try decoded(fixture, [.thumbnailPixelSize(4, 0)])
        #expect(upright.size == PixelSize(6, 8))
        // 4x6 as stored: 6x8 would be too small.
        let stored = try decoded(fixture, [.thumbnailPixelSize(4, 0), .keepsOrientation])
        #expect(stored.size == PixelSize(12, 16))
    }

    @Test(arguments: ["size-1x1", "size-1x17", "size-17x1"])
    func `a side too short for a reduction is not reduced`(_ name: String) throws {
        let fixture = try Fixture.named(name)
        for quality in ThumbnailQuality.allCases {
            let pixels = try decoded(fixture, [.thumbnailPixelSize(1, 1), .thumbnailQuality(quality)])
            let expected = try fixture.samples()
            #expect(SampleDifference(pixels.samples, expected) == .zero, "\(quality)")
        }
    }

    // MARK: Results

    @Test(arguments: ["baseline-444", "baseline-420", "gray"])
    func `a thumbnail from a reduced picture looks like one of the whole`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        let whole = try await manager.decode(data)
        for width in [25, 15, 7, 3] {
            let thumbnail = try await manager.decode(data, context: [.thumbnailPixelSize(width, 0)])
            #expect(thumbnail.size == whole.size.fitting(PixelSize(width, 0)))
            #expect(thumbnail.attributes.originalSize == whole.size)
            // Displaced by a pixel, it would differ by some hundreds.
            let expected = try whole.pixels.resampled(to: thumbnail.size)
            #expect(SampleDifference(thumbnail.pixels.samples, expected.samples).meanSquare < 20)
        }
    }

    @Test(arguments: Orientation.allCases)
    func `a thumbnail is upright, whatever its stored orientation`(_ orientation: Orientation) async throws {
        let data = try Fixture.jpeg("orientation-\(orientation.rawValue)")
        let whole = try await manager.decode(data)
        for width in [15, 7, 3] {
            let thumbnail = try await manager.decode(data, context: [.thumbnailPixelSize(width, 0)])
            #expect(thumbnail.size == PixelSize(32, 24).fitting(PixelSize(width, 0)))
            let expected = try whole.pixels.resampled(to: thumbnail.size)
            #expect(SampleDifference(thumbnail.pixels.samples, expected.samples).meanSquare < 150)
        }
    }

    @Test func `the thumbnail does not depend on the order of the data`() async throws {
        for width in [15, 7, 3] {
            let context: ImageContext = [.thumbnailPixelSize(width, 0)]
            let baseline = try await manager.decode(Fixture.jpeg("baseline-420"), context: context)
            for name in ["progressive-420", "restart-rows", "arithmetic", "separate-scans"] {
                let other = try await manager.decode(Fixture.jpeg(name), context: context)
                #expect(SampleDifference(other.pixels.samples, baseline.pixels.samples) == .zero)
            }
        }
    }
}
#endif
