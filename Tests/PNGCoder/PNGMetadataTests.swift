#if PNG
import Calotype
import CalotypePNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PNGMetadataTests {
    private static let packet = Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'>\u{E9}, and more</x:xmpmeta>".utf8)

    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    /// Returns an iTXt chunk with Adobe's keyword.
    private func text(
        _ packet: Data, compression: [UInt8] = [0, 0], keyword: String = "XML:com.adobe.xmp"
    ) -> PNGChunk {
        var body = Data((keyword + "\0").utf8)
        body += compression
        body += Data("en\0XMP\0".utf8)
        body += packet
        return PNGChunk(type: "iTXt", body: body)
    }

    /// Returns the picture `orientation-6`, with additional chunks before or after the pixels.
    private func file(_ chunks: [PNGChunk], isLate: Bool = false) throws -> Data {
        var all = try PNGChunk.all(of: Fixture.png("orientation-6"))
        all.insert(contentsOf: chunks, at: isLate ? all.count - 1 : 1)
        return PNGChunk.file(all)
    }

    private func metadata(_ data: Data, _ context: ImageContext = [.keepsMetadata]) async throws -> ImageMetadata {
        try await manager.info(of: data, context: context).metadata
    }

    // MARK: Reading

    @Test func `metadata is kept on request`() async throws {
        let data = try file([text(Self.packet)])
        let chunks = PNGChunk.all(of: data)
        let exif = try #require(chunks.first { $0.type == "eXIf" }).body
        let expected = ImageMetadata(exif: exif, xmp: Self.packet)
        let kept = try await metadata(data)
        #expect(kept == expected)
        let image = try await manager.decode(data, context: [.keepsMetadata])
        #expect(image.attributes.metadata == expected)
        let unwanted = try await metadata(data, [])
        #expect(unwanted.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an XMP packet is found compressed or not, before or after the pixels`(_ isLate: Bool) async throws {
        for chunk in [text(Self.packet), text(ZlibStream.stored(Self.packet), compression: [1, 0])] {
            let kept = try await metadata(file([chunk], isLate: isLate))
            #expect(kept.xmp == Self.packet)
        }
    }

    @Test func `a damaged packet is ignored, and the next one is used`() async throws {
        let good = text(Self.packet)
        let damaged = [
            text(Self.packet, compression: [2, 0]), text(ZlibStream.stored(Self.packet), compression: [1, 1]),
            text(Data(ZlibStream.stored(Self.packet).dropLast(9)), compression: [1, 0]),
            text(Self.packet, compression: [1, 0]),
            text(Self.packet, keyword: "XML:com.adobe.xmq"),
            PNGChunk(type: "iTXt", body: Data("XML:com.adobe.xmp\0\0\0no end of the language".utf8)),
            PNGChunk(type: "iTXt", body: Data("XML:com.adobe.xmp\0".utf8)),
        ]
        for chunk in damaged {
            let alone = try await metadata(file([chunk]))
            #expect(alone.xmp == nil)
            let followed = try await metadata(file([chunk, good]))
            #expect(followed.xmp == Self.packet)
        }
        var data = try file([good])
        let place = try #require(data.range(of: Data("xmpmeta".utf8))).lowerBound
        data[place] ^= 1
        let unchecked = try await metadata(data)
        #expect(unchecked.xmp == nil)
    }

    /// Returns a fixture whose EXIF block is changed and moved after the pixels.
    private func lateEXIF(_ name: String, change: (inout PNGChunk) -> Void = { _ in }) throws -> Data {
        var chunks = try PNGChunk.all(of: Fixture.png(name))
        let place = try #require(chunks.firstIndex { $0.type == "eXIf" })
        var exif = chunks.remove(at: place)
        change(&exif)
        chunks.insert(exif, at: chunks.count - 1)
        return PNGChunk.file(chunks)
    }

    @Test(arguments: Orientation.allCases)
    func `EXIF after the pixels turns the picture`(_ orientation: Orientation) async throws {
        let data = try lateEXIF("orientation-\(orientation.rawValue)")
        let info = try await manager.info(of: data, context: [.keepsMetadata])
        let before = try await manager.info(
            of: Fixture.png("orientation-\(orientation.rawValue)"), context: [.keepsMetadata])
        #expect(info.orientation == orientation)
        #expect(info == before)
        let image = try await manager.decode(data)
        let expected = try Fixture.samples8("upright")
        #expect(image.size == PixelSize(24, 16))
        #expect(image.pixels.samples == expected)
    }

    @Test func `the first valid EXIF block is used, wherever it is`() async throws {
        let late = try lateEXIF("orientation-6")
        var chunks = PNGChunk.all(of: late)
        let other = try #require(try PNGChunk.all(of: Fixture.png("orientation-3")).first { $0.type == "eXIf" })
        let behindEnd = PNGChunk.file(chunks) + other.data
        #expect(try await manager.info(of: behindEnd).orientation == .right)
        chunks.insert(other, at: chunks.count - 1)
        #expect(try await manager.info(of: PNGChunk.file(chunks)).orientation == .right)
        chunks.insert(other, at: 1)
        #expect(try await manager.info(of: PNGChunk.file(chunks)).orientation == .down)
        // An invalid block is skipped.
        chunks[1].body = Data("no block".utf8)
        chunks.insert(PNGChunk(type: "eXIf", body: Data("none either".utf8)), at: chunks.count - 3)
        #expect(try await manager.info(of: PNGChunk.file(chunks)).orientation == .right)
        // The checksum of a damaged block is wrong.
        var damaged = late
        let place = try #require(damaged.range(of: Data("eXIf".utf8))).upperBound
        damaged[place + 12] ^= 1
        #expect(try await manager.info(of: damaged).orientation == .up)
    }

    @Test func `EXIF after the pixels is subject to the limits`() async throws {
        let long = try lateEXIF("orientation-6") { $0.body += Data(count: 80_000) }
        let error = await #expect(throws: ImageError.self) {
            try await metadata(long, [.keepsMetadata, .maxMetadataBytes(80_000)])
        }
        #expect(error?.code == .limitExceeded)
        #expect(try await manager.info(of: long, context: [.maxMetadataBytes(80_000)]).orientation == .up)
        #expect(try await manager.info(of: long).orientation == .right)
    }

    @Test func `data after the pixels never prevents a decode`() async throws {
        let whole = try Fixture.png("orientation-1")
        let expected = try Fixture.samples8("upright")
        var chunks = PNGChunk.all(of: whole).filter { $0.type != "eXIf" }
        let small = Array(repeating: PNGChunk(type: "caLo", body: Data()), count: 100_001)
        chunks.insert(contentsOf: small, at: chunks.count - 1)
        let file = PNGChunk.file(chunks)
        for data in [file, Data(file.dropLast(9)), Data(file.dropLast(12))] {
            let image = try await manager.decode(data)
            #expect(image.pixels.samples == expected)
        }
    }

    // MARK: Limits

    @Test func `metadata over the limit is refused`() async throws {
        let chunks = PNGChunk.all(of: try file([]))
        let exifCount = try #require(chunks.first { $0.type == "eXIf" }).body.count
        let count = exifCount + Self.packet.count
        for chunk in [text(Self.packet), text(ZlibStream.stored(Self.packet), compression: [1, 0])] {
            let data = try file([chunk])
            let kept = try await metadata(data, [.keepsMetadata, .maxMetadataBytes(count)])
            #expect(kept.byteCount == count)
            for limit in [0, exifCount - 1, exifCount, count - 1] {
                let error = await #expect(throws: ImageError.self) {
                    try await metadata(data, [.keepsMetadata, .maxMetadataBytes(limit)])
                }
                #expect(error?.code == .limitExceeded)
            }
            // The limit applies only if the metadata is requested.
            let unwanted = try await metadata(data, [.maxMetadataBytes(0)])
            #expect(unwanted.isEmpty)
        }
    }

    @Test func `EXIF over the limit is refused if requested, and otherwise ignored`() async throws {
        var chunks = try PNGChunk.all(of: Fixture.png("orientation-6"))
        let place = try #require(chunks.firstIndex { $0.type == "eXIf" })
        let short = PNGChunk.file(chunks)
        chunks[place].body += Data(count: 80_000)
        let count = chunks[place].body.count
        let long = PNGChunk.file(chunks)
        let error = await #expect(throws: ImageError.self) {
            try await metadata(long, [.keepsMetadata, .maxMetadataBytes(count - 1)])
        }
        #expect(error?.code == .limitExceeded)
        let kept = try await metadata(long, [.keepsMetadata, .maxMetadataBytes(count)])
        #expect(kept.exif == chunks[place].body)
        let unread = try await manager.info(of: long, context: [.maxMetadataBytes(count - 1)])
        #expect(unread.orientation == .up)
        let read = try await manager.info(of: long, context: [.maxMetadataBytes(count)])
        let whole = try await manager.info(of: short)
        #expect(whole.orientation != .up && read.orientation == whole.orientation)
        // The orientation of a block of usual length is read with any limit.
        let told = try await manager.info(of: short, context: [.maxMetadataBytes(0)])
        #expect(told.orientation == whole.orientation)
    }

    // MARK: Profiles

    /// libpng's messages on a profile contain its name, which must not be mistaken for libpng's own words.
    @Test(arguments: ["Unlimited RGB", "no limits", "iCCP: out of memory"])
    func `a profile may have any name`(_ name: String) async throws {
        var profile = try Fixture.data("icc.icc")
        // An undefined intent, which libpng warns of.
        profile[67] = 7
        var chunks = try PNGChunk.all(of: Fixture.png("icc"))
        let place = try #require(chunks.firstIndex { $0.type == "iCCP" })
        chunks[place].body = Data((name + "\0\0").utf8) + ZlibStream.stored(profile)
        let good = try await manager.info(of: PNGChunk.file(chunks))
        #expect(good.profile == .icc(profile))
        // Another device class, which is invalid for pictures.
        profile.replaceSubrange(12..<16, with: Data("abst".utf8))
        chunks[place].body = Data((name + "\0\0").utf8) + ZlibStream.stored(profile)
        let damaged = try await manager.info(of: PNGChunk.file(chunks))
        #expect(damaged.isProfileDamaged && damaged.profile == .sRGB)
    }

    @Test func `a damaged profile is reported`() async throws {
        var chunks = try PNGChunk.all(of: Fixture.png("icc"))
        let good = try await manager.info(of: PNGChunk.file(chunks))
        #expect(!good.isProfileDamaged)
        let place = try #require(chunks.firstIndex { $0.type == "iCCP" })
        chunks[place].body.removeLast(100)
        let damaged = try await manager.info(of: PNGChunk.file(chunks))
        #expect(damaged.isProfileDamaged && damaged.profile == .sRGB)
        #expect(good.hasEmbeddedProfile && damaged.hasEmbeddedProfile)
        // A specification in another chunk takes precedence.
        chunks.insert(PNGChunk(type: "cICP", body: Data([1, 13, 0, 1])), at: 1)
        let other = try await manager.info(of: PNGChunk.file(chunks))
        #expect(!other.isProfileDamaged && other.hasEmbeddedProfile)
        let none = try await manager.info(of: Fixture.png("rgb8"))
        #expect(!none.isProfileDamaged && !none.hasEmbeddedProfile)
        let told = try await manager.info(of: Fixture.png("color-chrm-p3"))
        #expect(told.profile != .sRGB && !told.hasEmbeddedProfile)
    }

    @Test func `a profile for another color model than the picture's is reported as damaged`() async throws {
        let colored = PNGChunk.all(of: try Fixture.png("icc"))
        let profile = try #require(colored.first { $0.type == "iCCP" })
        var chunks = try PNGChunk.all(of: Fixture.png("gray8"))
        chunks.insert(profile, at: 1)
        let info = try await manager.info(of: PNGChunk.file(chunks))
        #expect(info.isProfileDamaged && info.profile == .sRGB)
    }
}
#endif
