#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import Foundation
import Testing

/// Reading of metadata.
@Suite(.timeLimit(.minutes(5)))
struct JPEGMetadataTests {
    private let manager = ImageManager(plugins: [.jpeg], context: [.off(.imageCache)])

    private static let packet = Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)

    /// Returns the EXIF block of a fixture, without its prefix.
    private func block(of name: String) throws -> Data {
        let segments = try JPEGSegment.all(of: Fixture.jpeg(name))
        let segment = try #require(segments.first { $0.marker == JPEGSegment.application1 })
        return Data(segment.body.dropFirst(6))
    }

    /// Returns a picture with additional segments before the one at `place`.
    private func file(_ name: String = "small", inserting segments: [JPEGSegment], at place: Int = 1) throws -> Data {
        var all = try JPEGSegment.all(of: Fixture.jpeg(name))
        all.insert(contentsOf: segments, at: place)
        return JPEGSegment.file(all)
    }

    @Test(arguments: ["orientation-3", "orientation-6", "exif-after-frame", "exif-thumbnail"])
    func `the EXIF block is kept only on request`(_ name: String) async throws {
        let data = try Fixture.jpeg(name)
        let block = try block(of: name)
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        #expect(info.metadata == ImageMetadata(exif: block))
        let image = try await manager.decode(data, context: [.keepsMetadata])
        #expect(image.attributes.metadata == ImageMetadata(exif: block))
        let plain = try await manager.info(of: data)
        #expect(plain.metadata.isEmpty)
        #expect(plain.orientation == info.orientation)
    }

    @Test func `metadata is found between any segments before the scan`() async throws {
        let block = try block(of: "orientation-6")
        let segments = try JPEGSegment.all(of: Fixture.jpeg("small"))
        let scan = try #require(segments.firstIndex { $0.marker == JPEGSegment.startOfScan })
        for place in 1...scan {
            let data = try file(inserting: [.exif(block), .xmp(Self.packet)], at: place)
            let info = try await manager.info(of: data, context: [.keepsMetadata])
            #expect(info.orientation == .right, "before segment \(place)")
            #expect(info.metadata == ImageMetadata(exif: block, xmp: Self.packet), "before segment \(place)")
        }
        // Segments after the frame's header are ignored.
        let scans = try JPEGSegment.all(of: Fixture.jpeg("progressive-420"))
        let first = try #require(scans.firstIndex { $0.marker == JPEGSegment.startOfScan })
        let late = try file("progressive-420", inserting: [.exif(block), .xmp(Self.packet)], at: first + 1)
        let info = try await manager.info(of: late, context: [.keepsMetadata])
        #expect(info.orientation == .up)
        #expect(info.metadata.isEmpty)
    }

    @Test func `the first of several blocks and packets is kept`() async throws {
        let (first, second) = try (block(of: "orientation-6"), block(of: "orientation-3"))
        let other = Data("<other/>".utf8)
        let segments: [JPEGSegment] = [.xmp(Self.packet), .exif(first), .xmp(other), .exif(second)]
        let info = try await manager.info(of: file(inserting: segments), context: [.keepsMetadata])
        #expect(info.metadata == ImageMetadata(exif: first, xmp: Self.packet))
        #expect(info.orientation == .right)
    }

    @Test func `only the main part of an extended XMP packet is kept`() async throws {
        let name = Data("http://ns.adobe.com/xmp/extension/\0".utf8)
        let numbers = Data(count: 8)
        let identifier = Data("0123456789ABCDEF0123456789ABCDEF".utf8)
        let rest = JPEGSegment(
            marker: JPEGSegment.application1, body: name + identifier + numbers + Data("<rest/>".utf8))
        let data = try file(inserting: [rest, .xmp(Self.packet), rest])
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        #expect(info.metadata == ImageMetadata(xmp: Self.packet))
    }

    @Test func `an empty block, or one that is cut off, is ignored`() async throws {
        let short = JPEGSegment(marker: JPEGSegment.application1, body: Data("Exif\0".utf8))
        let data = try file(inserting: [short, .exif(Data()), .xmp(Data())])
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        #expect(info.metadata.isEmpty)
    }

    @Test func `more metadata than the request allows is refused`() async throws {
        let block = try block(of: "orientation-6")
        let byteCount = block.count + Self.packet.count
        let data = try file(inserting: [.exif(block), .xmp(Self.packet)])
        _ = try await manager.info(of: data, context: [.keepsMetadata, .maxMetadataBytes(byteCount)])
        let error = await #expect(throws: ImageError.self) {
            try await manager.info(of: data, context: [.keepsMetadata, .maxMetadataBytes(byteCount - 1)])
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("maxMetadataBytes") == true)
        // Metadata that is not requested does not count toward the limit.
        _ = try await manager.info(of: data, context: [.maxMetadataBytes(0)])
    }

    @Test func `circular EXIF directories end the search`() async throws {
        // Big-endian, with one entry, which refers to a directory of details at the same position, and so on.
        let bytes: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8,
        ]
        let block = Data(bytes)
        let info = try await manager.info(of: file(inserting: [.exif(block)]), context: [.keepsMetadata])
        #expect(info.orientation == .up)
        #expect(info.metadata.exif == block)
        #expect(EXIF.thumbnail(of: block) == nil)
        // The maximum number of entries is declared, but none is present.
        let claiming = Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xFF, 0xFF])
        let claimed = try await manager.info(of: file(inserting: [.exif(claiming)]))
        #expect(claimed.orientation == .up)
    }

    @Test func `kept metadata has the orientation of the file`() async throws {
        for orientation in Orientation.allCases {
            let fixture = try Fixture.named("orientation-\(orientation.rawValue)")
            let image = try await manager.decode(fixture.jpeg(), context: [.keepsMetadata])
            let block = try #require(image.attributes.metadata.exif)
            #expect(image.attributes.orientation == .up)
            #expect(EXIF.orientation(of: block.bytes) == orientation)
        }
    }
}
#endif
