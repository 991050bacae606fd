#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct JPEGDecoderTests {
    private static let asStored: ImageContext = [.keepsOrientation, .keepsProfile]

    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    // MARK: Pixels

    @Test(arguments: try Fixture.all())
    func `pixels equal those of libjpeg-turbo's own tool`(_ fixture: Fixture) async throws {
        let image = try await manager.decode(fixture.jpeg(), context: Self.asStored)
        let expected = try fixture.samples()
        #expect(image.size == fixture.size)
        #expect(image.pixels.format == .rgba8)
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
    }

    @Test(arguments: try Fixture.all())
    func `the opaque and gray flags are set from the file`(_ fixture: Fixture) async throws {
        let image = try await manager.decode(fixture.jpeg(), context: Self.asStored)
        #expect(image.pixels.isOpaque)
        #expect(image.pixels.isGray == (fixture.colorModel == "gray"))
    }

    @Test func `native depth is eight bits`() async throws {
        let fixture = try Fixture.named("small")
        let image = try await manager.decode(fixture.jpeg(), context: [.nativeDepth])
        let expected = try fixture.samples()
        #expect(image.pixels.format == .rgba8)
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
    }

    // MARK: Info

    @Test(arguments: try Fixture.all())
    func `info equals the header`(_ fixture: Fixture) async throws {
        let info = try await manager.info(of: fixture.jpeg())
        let profile: ColorProfile = fixture.hasICCProfile ? .icc(try Fixture.directory.data("icc.icc")) : .sRGB
        #expect(info.format == .jpeg)
        #expect(info.pixelSize == fixture.size)
        #expect(info.bitDepth == 8)
        #expect(info.colorModel.rawValue == fixture.colorModel)
        #expect(!info.hasAlpha)
        #expect(info.orientation.rawValue == fixture.orientation)
        #expect(info.profile == profile)
        #expect(info.isProfileDamaged == fixture.name.hasPrefix("icc-part-"))
        #expect(info.hasEmbeddedProfile == fixture.name.hasPrefix("icc"))
        #expect(info.metadata.isEmpty)
        #expect(info.frameCount == 1)
        #expect(info.frames.isEmpty)
    }

    // MARK: Orientation

    @Test(arguments: Orientation.allCases)
    func `a picture is turned upright unless the request keeps it as stored`(_ orientation: Orientation) async throws {
        let fixture = try Fixture.named("orientation-\(orientation.rawValue)")
        let upright = try await manager.decode(fixture.jpeg())
        let expected = try Fixture.samples("orientation-\(orientation.rawValue)-upright")
        #expect(upright.size == PixelSize(32, 24))
        #expect(upright.attributes.orientation == .up)
        #expect(upright.attributes.originalSize == PixelSize(32, 24))
        #expect(SampleDifference(upright.pixels.samples, expected) == .zero)

        let stored = try await manager.decode(fixture.jpeg(), context: [.keepsOrientation])
        #expect(stored.size == fixture.size)
        #expect(stored.attributes.orientation == orientation)
    }

    @Test func `the first of several EXIF blocks is used`() async throws {
        var segments = try JPEGSegment.all(of: Fixture.jpeg("orientation-6"))
        let other = try JPEGSegment.all(of: Fixture.jpeg("orientation-3"))
        let block = try #require(other.first { $0.marker == JPEGSegment.application1 })
        let place = try #require(segments.firstIndex { $0.marker == JPEGSegment.application1 })
        segments.insert(block, at: place + 1)
        let info = try await manager.info(of: JPEGSegment.file(segments))
        #expect(info.orientation == .right)
    }

    @Test func `a damaged EXIF block leaves the picture as stored`() async throws {
        let fixture = try Fixture.named("orientation-6")
        let segments = try JPEGSegment.all(of: fixture.jpeg())
        let place = try #require(segments.firstIndex { $0.marker == JPEGSegment.application1 })
        for count in [0, 3, 6, 10, 20] {
            var damaged = segments
            damaged[place].body = damaged[place].body.prefix(count)
            let image = try await manager.decode(JPEGSegment.file(damaged))
            let expected = try fixture.samples()
            #expect(SampleDifference(image.pixels.samples, expected) == .zero)
        }
    }

    // MARK: Profile

    @Test(arguments: ["icc", "icc-split", "icc-reordered", "icc-after-frame", "icc-twice"])
    func `an embedded profile is kept on request`(_ name: String) async throws {
        let image = try await manager.decode(Fixture.jpeg(name), context: [.keepsProfile])
        let profile = ColorProfile.icc(try Fixture.directory.data("icc.icc"))
        #expect(image.attributes.profile == profile)
    }

    @Test func `the first complete one of several profiles is used`() async throws {
        var segments = try JPEGSegment.all(of: Fixture.jpeg("icc-split"))
        let other = JPEGSegment.profileParts(of: Data("another profile".utf8), count: 3)
        let frame = try #require(segments.firstIndex { $0.marker == JPEGSegment.baselineFrame })
        segments.insert(contentsOf: other, at: frame)
        let info = try await manager.info(of: JPEGSegment.file(segments))
        #expect(info.profile == .icc(try Fixture.directory.data("icc.icc")))
        #expect(!info.isProfileDamaged)
    }

    @Test(arguments: ["icc-part-missing", "icc-part-twice"])
    func `an incomplete profile is treated as sRGB`(_ name: String) async throws {
        let image = try await manager.decode(Fixture.jpeg(name), context: [.keepsProfile])
        #expect(image.attributes.profile == .sRGB)
    }

    @Test func `contradictory parts of a profile are treated as sRGB`() async throws {
        let segments = try JPEGSegment.all(of: Fixture.jpeg("icc-split"))
        let place = try #require(segments.firstIndex { $0.marker == JPEGSegment.application2 })
        // The number of the part, counted from 1, and the number of parts.
        let wrong: [[UInt8]] = [[0, 4], [5, 4], [1, 3], [1, 0], [1, 255]]
        for numbers in wrong {
            var changed = segments
            changed[place].body.replaceSubrange(12..<14, with: numbers)
            let info = try await manager.info(of: JPEGSegment.file(changed))
            #expect(info.profile == .sRGB && info.isProfileDamaged, "part \(numbers[0]) of \(numbers[1])")
        }
        var cut = segments
        cut[place].body = cut[place].body.prefix(13)
        let info = try await manager.info(of: JPEGSegment.file(cut))
        #expect(info.profile == .sRGB)
        #expect(info.isProfileDamaged)
    }

    @Test func `a profile is assembled from any number of parts, in any order`() async throws {
        // Only the length is plausible; the rest is not checked.
        let profile =
            try Fixture.directory.data("icc.icc") + Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        var parts = JPEGSegment.profileParts(of: profile, count: 255)
        for seed in UInt64(0)..<5 {
            var random = SplitMix64(seed: seed)
            parts.shuffle(using: &random)
            var segments = try JPEGSegment.all(of: Fixture.jpeg("small"))
            segments.insert(contentsOf: parts, at: 2)
            let info = try await manager.info(of: JPEGSegment.file(segments))
            #expect(info.profile == .icc(profile))
            #expect(!info.isProfileDamaged)

            segments.remove(at: 2 + Int(seed) * 50)
            let damaged = try await manager.info(of: JPEGSegment.file(segments))
            #expect(damaged.profile == .sRGB)
            #expect(damaged.isProfileDamaged)
        }
    }

    @Test func `an empty profile is damaged`() async throws {
        var segments = try JPEGSegment.all(of: Fixture.jpeg("small"))
        segments.insert(contentsOf: JPEGSegment.profileParts(of: Data(), count: 1), at: 2)
        let info = try await manager.info(of: JPEGSegment.file(segments))
        #expect(info.profile == .sRGB)
        #expect(info.isProfileDamaged)
    }

    @Test func `CMYK is converted without its profile if no converter supports it`() async throws {
        let fixture = try Fixture.named("cmyk")
        var segments = try JPEGSegment.all(of: fixture.jpeg())
        let other = try JPEGSegment.all(of: Fixture.jpeg("icc"))
        let profile = try #require(other.first { $0.marker == JPEGSegment.application2 })
        segments.insert(profile, at: 1)
        let data = JPEGSegment.file(segments)
        let info = try await manager.info(of: data)
        let embedded = ColorProfile.icc(try Fixture.directory.data("icc.icc"))
        #expect(info.profile == embedded)
        let image = try await manager.decode(data, context: [.keepsProfile])
        let expected = try fixture.samples()
        #expect(image.attributes.profile == .sRGB)
        #expect(SampleDifference(image.pixels.samples, expected) == .zero)
    }

    // MARK: CMYK

    @Test(arguments: [
        // Chroma at half the width and height reduces the accuracy of colors.
        ("cmyk", 25.0), ("cmyk-progressive", 25.0), ("cmyk-separate-scans", 25.0), ("cmyk-without-adobe", 25.0),
        ("ycck", 60.0), ("ycck-420", 500.0), ("ycck-420-progressive", 500.0),
    ])
    func `CMYK samples are given as ink amounts, 0 being none`(_ name: String, _ bound: Double) throws {
        let bytes = ImageBytes(try Fixture.jpeg(name))
        let decoder = try #require(try JPEGCoder().decoder(for: bytes, options: DecodeOptions()))
        var sink = CollectingRowSink()
        try decoder.decode(frame: 0, into: &sink, job: Job())
        #expect(sink.channels == .cmyk)
        let inks = try sink.finish().samples
        // The original inks: the minimum of the three inks, and black for the rest.
        let colors = [UInt8](try Fixture.directory.data("source.rgb")).map(Int.init)
        let expected = stride(from: 0, to: colors.count, by: 3).flatMap { pixel -> [UInt8] in
            let light = max(colors[pixel..<pixel + 3].max() ?? 0, 1)
            return colors[pixel..<pixel + 3].map { UInt8(255 - $0 * 255 / light) } + [UInt8(255 - light)]
        }
        // Inverted inks would differ by some ten thousand.
        #expect(SampleDifference(inks, expected).meanSquare < bound)
    }

    @Test func `rows of other pictures are colors`() throws {
        for name in ["gray", "rgb", "baseline-420"] {
            let bytes = ImageBytes(try Fixture.jpeg(name))
            let decoder = try #require(try JPEGCoder().decoder(for: bytes, options: DecodeOptions()))
            var sink = CollectingRowSink()
            try decoder.decode(frame: 0, into: &sink, job: Job())
            #expect(sink.channels == .rgba)
        }
    }

    // MARK: The coder

    @Test func `files of other formats are left to other coders`() throws {
        for name in ["bad-empty", "bad-start-only", "bad-png"] {
            let bytes = ImageBytes(try Fixture.jpeg(name))
            let decoder = try JPEGCoder().decoder(for: bytes, options: DecodeOptions())
            let progressive = try JPEGCoder().progressiveDecoder(for: bytes, options: DecodeOptions())
            #expect(decoder == nil)
            #expect(progressive == nil)
        }
        #expect(JPEGCoder().encoder(for: .png) == nil)
    }

    @Test func `a JPEG has one frame`() async throws {
        let data = try Fixture.jpeg("small")
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.frame(1)])
        }
        #expect(error?.code == .noSuchFrame)

        let decoder = try #require(try JPEGCoder().decoder(for: ImageBytes(data), options: DecodeOptions()))
        var sink = CollectingRowSink()
        do {
            try decoder.decode(frame: 1, into: &sink, job: Job())
            Issue.record("expected an error for a second frame")
        } catch let error as ImageError {
            #expect(error.code == .noSuchFrame)
        }
    }

    @Test(arguments: ["progressive-420", "separate-scans", "arithmetic-progressive"])
    func `reading scans stops when its job is cancelled`(_ name: String) throws {
        let bytes = ImageBytes(try Fixture.jpeg(name))
        let decoder = try #require(try JPEGCoder().decoder(for: bytes, options: DecodeOptions()))
        let job = Job()
        job.cancel()
        let error = #expect(throws: ImageError.self) { try decoder.collected(job: job) }
        #expect(error?.code == .cancelled)
    }

    @Test func `the plugin names its library and keys`() {
        #expect(Plugin.jpeg.libraries.map(\.name) == ["libjpeg-turbo"])
        #expect(Plugin.jpeg.libraries.allSatisfy { $0.version.first?.isNumber == true })
        let keys = [
            "jpegMaxScans", "jpegMaxScanCoefficients", "jpegMaxCoefficientBytes", "jpegProgressive",
            "jpegOptimizedTables", "jpegSubsampling",
        ]
        #expect(Plugin.jpeg.keys.map(\.name) == keys)
    }

    @Test func `every key is set by text`() throws {
        let good = [
            ("jpegMaxScans", "7"), ("jpegMaxScanCoefficients", "7000"), ("jpegMaxCoefficientBytes", "1000000"),
            ("jpegProgressive", "true"), ("jpegOptimizedTables", "true"), ("jpegSubsampling", "4:4:4"),
        ]
        for (name, text) in good {
            let setting = try manager.registry.setting(named: name, text: text)
            #expect(setting.text == text)
        }
        let bad = [
            ("jpegMaxScans", "0"), ("jpegMaxCoefficientBytes", "0"), ("jpegProgressive", "much"),
            ("jpegOptimizedTables", "2"), ("jpegSubsampling", "4:1:7"),
        ]
        for (name, text) in bad {
            #expect(throws: ImageError.self) { try manager.registry.setting(named: name, text: text) }
        }
    }
}
#endif
