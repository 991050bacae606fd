#if HEIF
import Calotype
import CalotypeHEIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HEIFDecoderTests {
    private let manager = ImageManager(plugins: [.heif], context: [.off(.imageCache)])

    // MARK: Info

    @Test(arguments: try HEIFFixture.all())
    func `info equals the file`(_ fixture: HEIFFixture) async throws {
        let info = try await manager.info(of: fixture.data(), context: [.keepsMetadata])
        #expect(info.format == fixture.brandedFormat)
        #expect(info.size == fixture.size)
        #expect(info.hasAlpha == fixture.hasAlpha)
        #expect(info.bitDepth == fixture.bitDepth)
        #expect(info.hasHighDynamicRange == fixture.hasLightBeyondWhite)
        #expect(info.hasEmbeddedProfile == fixture.hasICCProfile)
        #expect((info.metadata.exif != nil) == fixture.hasEXIF)
        let hasMark = info.metadata.exif.map { $0.starts(with: "II".utf8) || $0.starts(with: "MM".utf8) }
        #expect(hasMark != false)
        #expect((info.metadata.xmp != nil) == fixture.hasXMP)
        #expect(info.frames == [])
        // Metadata is read only on request.
        #expect(try await manager.info(of: fixture.data()).metadata.isEmpty)
    }

    @Test(arguments: try HEIFFixture.various().filter { !$0.hasICCProfile })
    func `each color description is recognized`(_ fixture: HEIFFixture) async throws {
        let profile = try await manager.info(of: fixture.data()).profile
        // Missing and uncommon values mean sRGB. Light beyond white has its own curve.
        let primaries = [5, 6, 9, 11, 12].contains(fixture.primaries) ? fixture.primaries : 1
        let transfer = [1, 4, 5, 6, 8, 14, 15].contains(fixture.transfer) ? fixture.transfer : 13
        guard (primaries, transfer) != (1, 13) else {
            #expect(profile == .sRGB)
            return
        }
        #expect(profile.name == "CICP \(fixture.primaries)/\(fixture.transfer)")
    }

    /// All combinations of the values that occur in pictures.
    @Test(arguments: [1, 5, 6, 9, 11, 12] as [UInt8], [1, 4, 5, 6, 8, 13, 14, 15] as [UInt8])
    func `each pair of primaries and transfer gives its own profile`(primaries: UInt8, transfer: UInt8) async throws {
        var data = try HEIFFixture.named("avif-8-444").data()
        let numbers = try #require(data.firstRange(of: Data("colrnclx".utf8))).upperBound
        (data[numbers + 1], data[numbers + 3]) = (primaries, transfer)
        let profile = try await manager.info(of: data).profile
        guard (primaries, transfer) != (1, 13) else {
            #expect(profile == .sRGB)
            return
        }
        #expect(profile.name == "CICP \(primaries)/\(transfer)")
    }

    // MARK: Pixels

    @Test(arguments: try HEIFFixture.all().filter { !$0.hasLightBeyondWhite })
    func `the pixels equal those of other decoders`(_ fixture: HEIFFixture) async throws {
        let image = try await manager.decode(fixture.data())
        #expect(image.size == fixture.size)
        #expect(image.pixels.isOpaque == !fixture.hasAlpha)
        let difference = SampleDifference(image.pixels.samples, try fixture.samples())
        if let tolerance = fixture.tolerance {
            #expect(difference.largest <= tolerance)
        } else {
            #expect(difference.decibels >= 45, "\(difference)")
        }
    }

    @Test(arguments: try HEIFFixture.all().filter { $0.bitDepth > 8 && !$0.hasLightBeyondWhite })
    func `all bits of a sample are kept on request`(_ fixture: HEIFFixture) async throws {
        let image = try await manager.decode(fixture.data(), context: [.nativeDepth])
        #expect(image.pixels.format == .rgba16)
        let samples = (0..<image.size.height).flatMap { image.pixels.row16($0) }
        let expected = try fixture.deepSamples()
        try #require(samples.count == expected.count)
        let largest = zip(samples, expected).map { abs(Int($0) - Int($1)) }.max()
        let step = 65_535 / ((1 << fixture.bitDepth) - 1)
        #expect(try #require(largest) <= (fixture.tolerance.map { $0 * 257 } ?? 2 * step))
    }

    @Test(arguments: try HEIFFixture.various().filter { $0.rotation != 0 || $0.mirror != nil })
    func `a picture is turned once, as the container says`(_ fixture: HEIFFixture) async throws {
        let data = try fixture.data()
        let stored = try await manager.decode(data, context: [.keepsOrientation])
        let info = try await manager.info(of: data)
        #expect(stored.attributes.orientation == info.orientation)
        #expect(info.orientation != .up)
        #expect(stored.size == info.pixelSize)
        let upright = try await manager.decode(data)
        #expect(upright.attributes.orientation == .up)
        #expect(try stored.pixels.upright(from: info.orientation).samples == upright.pixels.samples)
    }

    @Test(arguments: try ConformanceFile.all(in: .module))
    func `the pixels of libheif's own pictures equal those of its tool`(_ file: ConformanceFile) async throws {
        let image = try await manager.decode(file.data(in: .module))
        #expect(image.size == file.size)
        let difference = try SampleDifference(image.pixels.sparseSamples, file.sparseSamples(in: .module))
        #expect(difference.decibels >= 45, "\(difference)")
    }

    // MARK: Thumbnails

    @Test(arguments: ["heic-thumbnails", "heic-thumbnail-turned", "avif-thumbnails", "avif-thumbnail-turned"])
    func `an embedded thumbnail does not affect the full picture`(_ name: String) async throws {
        let fixture = try HEIFFixture.named(name)
        let image = try await manager.decode(fixture.data())
        #expect(SampleDifference(image.pixels.samples, try fixture.samples()).decibels >= 45)
    }

    @Test(arguments: [ImageFormat.heic, .avif])
    func `an embedded thumbnail is used if it is as good`(_ format: ImageFormat) async throws {
        let size = PixelSize(640, 480)
        let image = try Image.of((0..<size.area).flatMap { _ in [200, 40, 40, 255] as [UInt8] }, size)
        let file = try await manager.encode(image, as: format, context: [.embedThumbnail])
        /// Returns the size of the decoder's picture.
        func given(_ settings: ContextSetting...) throws -> PixelSize {
            let context = ResolvedContext(ImageContext(settings))
            let decoder = try HEIFCoder().decoder(for: ImageBytes(file), options: DecodeOptions(context))
            var sink = SizeSink()
            try #require(decoder).decode(frame: 0, into: &sink, job: Job())
            return sink.size
        }
        let inside = PixelSize(320, 240)
        #expect(try given() == size)
        #expect(try given(.thumbnailPixelSize(160, 160)) == inside)
        #expect(try given(.thumbnailPixelSize(200, 200)) == size)
        #expect(try given(.thumbnailPixelSize(320, 320), .thumbnailQuality(.fast)) == inside)
        #expect(try given(.thumbnailPixelSize(160, 160), .thumbnailQuality(.exact)) == size)
        let small = try await manager.decode(file, context: [.thumbnailPixelSize(160, 160)])
        #expect(small.size == PixelSize(160, 120))
        let expected = (0..<small.size.area).flatMap { _ in [200, 40, 40, 255] as [UInt8] }
        #expect(SampleDifference(small.pixels.samples, expected).largest <= 4)
    }

    /// A sink that records the size of a picture and discards its rows.
    private struct SizeSink: RowSink {
        private(set) var size = PixelSize(0, 0)
        private var row: [UInt8] = []

        mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
            size = layout.size
            row = [UInt8](repeating: 0, count: layout.rowByteCount)
        }

        mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
            try row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) throws -> Void in
                var span = MutableRawSpan(_unsafeBytes: row)
                try body(&span)
            }
        }

        mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
            throw ImageError(.badData, stage: .decode, message: "HEIF gives rows")
        }
    }

    // MARK: Unsupported files

    @Test func `an overlay picture is refused, and the error says why`() async throws {
        let data = try HEIFFixture.directory.data("heic-overlay.heic")
        let error = await #expect(throws: ImageError.self) { try await manager.decode(data) }
        #expect(error?.message.contains("'iovl'") == true)
    }

    @Test(arguments: [
        "bad-grid-cycle.heic", "bad-grid-itself.heic", "bad-grid-doubled.heic", "bad-identity-cycle.heic",
        "bad-identity-itself.heic", "odd-grid-uncovered.avif", "odd-ispe-17000.avif",
        "odd-sps-8192.heic", "odd-sps-8192-in-stream.heic", "odd-stream-8192.avif", "bad-sequence-65536.avif",
    ])
    func `a contradictory file is refused before libheif reads it`(_ file: String) async throws {
        let data = try HEIFFixture.directory.data(file)
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .badData)
        #expect(error?.message.contains("libheif") == false)
    }

    @Test(arguments: ["odd-sps-16384-said.heic", "odd-stream-8192-said.avif"])
    func `a picture that is too large is refused before its stream is decoded`(_ file: String) async throws {
        let data = try HEIFFixture.directory.data(file)
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.maxPixels(8_192 * 8_192 - 1)])
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `untrusted bytes are not decoded unless the format is admitted`() async throws {
        let data = try HEIFFixture.named("heic-without-fault").data()
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.admittedFormats([])])
        }
        #expect(error?.code == .formatRefused)
        _ = try await manager.decode(data, context: [.admittedFormats(["heic"])])
    }
}
#endif
