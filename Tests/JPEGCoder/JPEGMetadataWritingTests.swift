#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// Writing of metadata.
@Suite(.timeLimit(.minutes(5)))
struct JPEGMetadataWritingTests {
    /// The maximum size of a block in a segment, after its identifier.
    private static let maxBlockByteCount = 65_527
    private static let maxPacketByteCount = 65_502

    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])
    private let encoder = JPEGCoder().encoder(for: .jpeg)

    private func makeImage(attributes: Image.Attributes = Image.Attributes()) throws -> Image {
        try .of(Fixture.samples("source"), PixelSize(33, 31), attributes: attributes)
    }

    /// Returns a smooth picture without symmetries, or noise.
    private func makeLargeImage(_ size: PixelSize, isNoise: Bool = false) throws -> Image {
        var random = SplitMix64(seed: 5)
        var samples: [UInt8] = []
        samples.reserveCapacity(size.area * 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                if isNoise {
                    for _ in 0..<3 { samples.append(UInt8.random(in: 0...255, using: &random)) }
                } else {
                    let (red, green) = (UInt8(x * 255 / size.width), UInt8(y * 255 / size.height))
                    samples += [red, green, 255 - red]
                }
                samples.append(255)
            }
        }
        return try .of(samples, size)
    }

    /// Returns a block that must not be shortened: the bytes after its only entry may be significant.
    private func block(byteCount: Int) -> Data {
        let block = EXIF.block(for: .right)
        return block + Data(count: byteCount - block.count)
    }

    /// Returns the encoder's file with embedded metadata.
    private func written(
        _ image: Image, _ metadata: ImageMetadata, thumbnail: Bool = false
    ) throws -> Data {
        var options = EncodeOptions()
        options.metadata = metadata
        options.embedsThumbnail = thumbnail
        return try #require(encoder).encode(image, options: options, job: Job())
    }

    private func metadata(of file: Data) async throws -> ImageMetadata {
        try await manager.info(of: file, context: [.keepsMetadata]).metadata
    }

    /// Returns the EXIF block of a file.
    private func block(of file: Data) async throws -> Data {
        let metadata = try await metadata(of: file)
        return try #require(metadata.exif)
    }

    // MARK: Blocks

    @Test func `EXIF and XMP are written as they are, before the profile`() async throws {
        let wanted = ImageMetadata(exif: block(byteCount: 100), xmp: Data("<x:xmpmeta/>".utf8))
        let attributes = Image.Attributes(profile: .icc(try Fixture.directory.data("icc.icc")))
        let file = try written(makeImage(attributes: attributes), wanted)
        let markers = JPEGSegment.all(of: file).prefix(5).map(\.marker)
        #expect(markers == [JPEGSegment.startOfImage, 0xE0, 0xE1, 0xE1, 0xE2])
        let read = try await manager.decode(file, context: [.keepsMetadata, .keepsProfile, .keepsOrientation])
        let expected = try await manager.decode(written(makeImage(), ImageMetadata()))
        #expect(read.attributes.metadata == wanted)
        #expect(read.attributes.profile == attributes.profile)
        #expect(read.attributes.orientation == .right)
        #expect(SampleDifference(read.pixels.samples, expected.pixels.samples) == .zero)
    }

    @Test func `only the metadata in the options is written`() throws {
        // The manager decides which metadata of an image is written; the encoder alone ignores it.
        let attributes = Image.Attributes(orientation: .right, metadata: ImageMetadata(exif: block(byteCount: 100)))
        let file = try written(makeImage(attributes: attributes), ImageMetadata())
        let markers = JPEGSegment.all(of: file).map(\.marker)
        #expect(!markers.contains(JPEGSegment.application1))
    }

    @Test func `metadata may be as long as a segment allows`() async throws {
        let longest = ImageMetadata(
            exif: block(byteCount: Self.maxBlockByteCount), xmp: Data(count: Self.maxPacketByteCount))
        let read = try await metadata(of: written(makeImage(), longest))
        #expect(read == longest)
        let tooLong = [
            ImageMetadata(exif: block(byteCount: Self.maxBlockByteCount + 1)),
            ImageMetadata(xmp: Data(count: Self.maxPacketByteCount + 1)),
        ]
        for metadata in tooLong {
            let error = #expect(throws: ImageError.self) { try written(makeImage(), metadata) }
            #expect(error?.code == .encodeFailed)
            #expect(error?.advice?.contains("metadataPolicy") == true)
        }
    }

    @Test(arguments: Orientation.allCases)
    func `a picture turned upright is written upright with its metadata`(_ orientation: Orientation) async throws {
        let data = try Fixture.jpeg("orientation-\(orientation.rawValue)")
        let image = try await manager.decode(data, context: [.keepsMetadata])
        let file = try await manager.encode(
            image, as: .jpeg, context: [.metadataPolicy(.all), .jpegSubsampling(.full)])
        let block = try await block(of: file)
        #expect(EXIF.orientation(of: block.bytes) == .up)
        let read = try await manager.decode(file)
        #expect(read.size == PixelSize(32, 24))
        // Rotated twice, it would differ by some thousands.
        #expect(SampleDifference(read.pixels.samples, image.pixels.samples).meanSquare < 100)
    }

    // MARK: Thumbnails

    @Test(arguments: [
        (PixelSize(400, 300), PixelSize(320, 240)), (PixelSize(300, 400), PixelSize(240, 320)),
        (PixelSize(1000, 3), PixelSize(320, 1)), (PixelSize(33, 31), PixelSize(33, 31)),
    ])
    func `a thumbnail is written into EXIF on request`(_ size: PixelSize, _ expected: PixelSize) async throws {
        let image = try makeLargeImage(size)
        let plain = try await metadata(of: manager.encode(image, as: .jpeg))
        #expect(plain.isEmpty)
        let file = try await manager.encode(image, as: .jpeg, context: [.embedThumbnail])
        let block = try await block(of: file)
        let thumbnail = try #require(EXIF.thumbnail(of: block))
        let read = try await manager.decode(thumbnail)
        #expect(read.size == expected)
        let resampled = try image.pixels.resampled(to: expected)
        // Rotated or displaced, it would differ by some thousands.
        #expect(SampleDifference(read.pixels.samples, resampled.samples).meanSquare < 20)
        #expect(EXIF.orientation(of: block.bytes) == .up)
        let info = try await manager.info(of: file)
        #expect(info.pixelSize == size)
    }

    @Test func `a thumbnail is a plain JPEG, whatever its picture`() async throws {
        let image = try makeLargeImage(PixelSize(400, 300))
        let context: ImageContext = [.embedThumbnail, .jpegProgressive, .jpegSubsampling(.full)]
        let file = try await manager.encode(image, as: .jpeg, context: context)
        let block = try await block(of: file)
        let segments = JPEGSegment.all(of: try #require(EXIF.thumbnail(of: block)))
        let frame = try #require(segments.first { $0.marker == JPEGSegment.baselineFrame })
        // Two luma samples in each direction for one chroma sample.
        #expect(frame.body[7] == 0x22)
        let hasApplications = segments.contains { (0xE0...0xEF).contains($0.marker) }
        #expect(!hasApplications)
    }

    @Test func `a thumbnail has the orientation and background of its picture`() async throws {
        let size = PixelSize(40, 30)
        let samples = (0..<size.area).flatMap { _ in [200, 100, 50, 0] as [UInt8] }
        let image = try Image.of(
            samples, size, isOpaque: false, attributes: Image.Attributes(orientation: .right))
        let color = PixelColor(red: 0, green: 0, blue: 0)
        let file = try await manager.encode(image, as: .jpeg, context: [.embedThumbnail, .encodeBackground(color)])
        let block = try await block(of: file)
        #expect(EXIF.orientation(of: block.bytes) == .right)
        let thumbnail = try #require(EXIF.thumbnail(of: block))
        let read = try await manager.decode(thumbnail)
        #expect(read.size == size)
        let isBlack = read.pixels.samples.enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : 0) }
        #expect(isBlack)
    }

    @Test func `the quality of a thumbnail is limited by the available space`() async throws {
        let image = try makeLargeImage(PixelSize(320, 320), isNoise: true)
        var byteCounts: [Int] = []
        for byteCount in [26, 30_000, 45_000] {
            let file = try written(image, ImageMetadata(exif: block(byteCount: byteCount)), thumbnail: true)
            let made = try await self.block(of: file)
            #expect(made.count >= byteCount && made.count <= Self.maxBlockByteCount)
            #expect(EXIF.orientation(of: made.bytes) == .right)
            byteCounts.append(try #require(EXIF.thumbnail(of: made)).count)
        }
        #expect(byteCounts == byteCounts.sorted(by: >))
        #expect(byteCounts[0] > byteCounts[2])
    }

    @Test func `a thumbnail that does not fit is left out`() async throws {
        let image = try makeLargeImage(PixelSize(320, 320), isNoise: true)
        // There is no room for a thumbnail of any quality, or not even for an entry.
        for byteCount in [63_000, Self.maxBlockByteCount] {
            let wanted = block(byteCount: byteCount)
            let file = try written(image, ImageMetadata(exif: wanted), thumbnail: true)
            let made = try await block(of: file)
            #expect(made == wanted)
            #expect(EXIF.thumbnail(of: made) == nil)
        }
        let tooLong = ImageMetadata(exif: block(byteCount: Self.maxBlockByteCount + 1))
        let error = #expect(throws: ImageError.self) { try written(image, tooLong, thumbnail: true) }
        #expect(error?.code == .encodeFailed)
        #expect(error?.advice?.contains("metadataPolicy") == true)
    }
}
#endif
