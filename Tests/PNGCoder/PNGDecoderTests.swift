#if PNG
import Calotype
import Foundation
import Testing

@testable import CalotypePNG

@Suite(.timeLimit(.minutes(5)))
struct PNGDecoderTests {
    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    // MARK: Pixels

    @Test(arguments: try Fixture.all())
    func `native depth returns every sample as stored`(_ fixture: Fixture) async throws {
        let data = try Fixture.png(fixture.name)
        let image = try await manager.decode(data, context: [.nativeDepth, .keepsOrientation, .keepsProfile])
        #expect(image.size == PixelSize(width: fixture.width, height: fixture.height))
        #expect(image.pixels.format == (fixture.bitDepth == 16 ? .rgba16 : .rgba8))
        let expected =
            fixture.bitDepth == 16 ? try Fixture.samples(fixture.name) : try Fixture.samples8(fixture.name)
        #expect(image.pixels.samples == expected)
    }

    @Test(arguments: try Fixture.all())
    func `eight bits are the rounded sixteen`(_ fixture: Fixture) async throws {
        let data = try Fixture.png(fixture.name)
        let image = try await manager.decode(data, context: [.keepsOrientation, .keepsProfile])
        let expected = try Fixture.samples8(fixture.name)
        #expect(image.pixels.format == .rgba8)
        #expect(image.pixels.samples == expected)
    }

    @Test(arguments: try Fixture.all())
    func `the opaque and gray flags are set from the header`(_ fixture: Fixture) async throws {
        let data = try Fixture.png(fixture.name)
        let image = try await manager.decode(data, context: [.keepsOrientation, .keepsProfile])
        #expect(image.pixels.isOpaque == !fixture.hasAlpha)
        #expect(image.pixels.isGray == [0, 4].contains(fixture.colorType))
    }

    @Test func `an interlaced picture has the same thumbnail as a sequential one`() async throws {
        for name in ["rgba8", "rgba16", "palette8"] {
            let context: ImageContext = [.thumbnailPixelSize(7, 7), .nativeDepth]
            let plain = try await manager.decode(Fixture.png(name), context: context)
            let interlaced = try await manager.decode(Fixture.png(name + "-interlaced"), context: context)
            #expect(plain.width == 7)
            #expect(plain.pixels.samples == interlaced.pixels.samples)
        }
    }

    // MARK: Info

    @Test(arguments: try Fixture.all())
    func `info equals the header`(_ fixture: Fixture) async throws {
        let info = try await manager.info(of: Fixture.png(fixture.name))
        let colorModel: ImageInfo.ColorModel =
            switch fixture.colorType {
            case 0, 4: .gray
            case 3: .palette
            default: .rgb
            }
        let profile: ColorProfile = fixture.hasICCProfile ? .icc(try Fixture.data("icc.icc")) : .sRGB
        #expect(info.format == .png)
        #expect(info.pixelSize == PixelSize(width: fixture.width, height: fixture.height))
        #expect(info.bitDepth == fixture.bitDepth)
        #expect(info.colorModel == colorModel)
        #expect(info.hasAlpha == fixture.hasAlpha)
        #expect(info.orientation.rawValue == fixture.orientation)
        #expect(info.profile == profile)
        #expect(info.frameCount == 1)
        #expect(info.durations.isEmpty)
    }

    // MARK: Orientation and profile

    @Test(arguments: Orientation.allCases)
    func `a picture is turned upright unless the request keeps it as stored`(_ orientation: Orientation) async throws {
        let data = try Fixture.png("orientation-\(orientation.rawValue)")
        let upright = try await manager.decode(data)
        let expected = try Fixture.samples8("upright")
        #expect(upright.attributes.orientation == .up)
        #expect(upright.pixels.samples == expected)

        let stored = try await manager.decode(data, context: [.keepsOrientation])
        #expect(stored.attributes.orientation == orientation)
    }

    @Test func `an embedded profile is kept on request`() async throws {
        let image = try await manager.decode(Fixture.png("icc"), context: [.keepsProfile])
        let profile = ColorProfile.icc(try Fixture.data("icc.icc"))
        #expect(image.attributes.profile == profile)
    }

    @Test func `color chunks do not prevent a profile from being read`() async throws {
        // By default libpng drops a profile after an sRGB chunk, or after invalid chromaticities.
        var chunks = try PNGChunk.all(of: Fixture.png("icc"))
        chunks.insert(PNGChunk(type: "sRGB", body: Data([0])), at: 1)
        chunks.insert(PNGChunk(type: "cHRM", body: Data(repeating: 0, count: 32)), at: 1)
        let info = try await manager.info(of: PNGChunk.file(chunks))
        let profile = ColorProfile.icc(try Fixture.data("icc.icc"))
        #expect(info.profile == profile)
    }

    @Test func `a damaged profile is treated as sRGB`() async throws {
        var chunks = try PNGChunk.all(of: Fixture.png("icc"))
        let index = try #require(chunks.firstIndex { $0.type == "iCCP" })
        chunks[index].body.removeLast(100)
        let image = try await manager.decode(PNGChunk.file(chunks), context: [.keepsProfile])
        let expected = try Fixture.samples8("icc")
        #expect(image.attributes.profile == .sRGB)
        #expect(image.pixels.samples == expected)
    }

    // MARK: Tolerated faults

    @Test func `a missing end and garbage after the pixels are not errors`() async throws {
        let withoutEnd = try await manager.decode(Fixture.png("bad-missing-iend"))
        #expect(withoutEnd.size == PixelSize(width: 13, height: 9))

        let data = try Fixture.png("upright") + Data(repeating: 0xFF, count: 1000)
        let image = try await manager.decode(data)
        let expected = try Fixture.samples8("upright")
        #expect(image.pixels.samples == expected)
    }

    @Test func `an index beyond the palette is opaque black`() async throws {
        let image = try await manager.decode(Fixture.png("bad-palette-index"))
        #expect(image.pixels.color(x: 6, y: 4) == PixelColor(red: 0, green: 0, blue: 0, alpha: 1))
    }

    @Test func `text is skipped, however long it is`() async throws {
        let chunks = try PNGChunk.all(of: Fixture.png("upright"))
        var data = PNGChunk.file([chunks[0]])
        // Its checksum is wrong as well, which does not matter in an unused chunk.
        data += PNGChunk.bigEndian(9_000_000) + Data("tEXt".utf8) + Data(count: 9_000_000 + 4)
        for chunk in chunks.dropFirst() { data += chunk.data }
        let image = try await manager.decode(data)
        let expected = try Fixture.samples8("upright")
        #expect(image.pixels.samples == expected)
    }

    // MARK: The coder

    @Test func `files of other formats are left to other coders`() throws {
        for name in ["bad-gif", "bad-empty", "bad-signature-crlf-to-lf", "bad-signature-lf-to-crlf"] {
            let decoder = try PNGCoder().decoder(for: ImageBytes(Fixture.png(name)), options: DecodeOptions())
            #expect(decoder == nil)
        }
        #expect(PNGCoder().encoder(for: .jpeg) == nil)
    }

    @Test func `a still has one frame`() async throws {
        let data = try Fixture.png("upright")
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.frame(1)])
        }
        #expect(error?.code == .noSuchFrame)
    }

    @Test func `the plugin names its libraries and keys`() {
        var names = ["libpng", "zlib"]
        #if DEFLATE
        names.append("libdeflate")
        #endif
        #expect(Plugin.png.libraries.map(\.name) == names)
        #expect(Plugin.png.libraries.allSatisfy { $0.version.hasPrefix("1.") })
        #expect(Plugin.png.keys.map(\.name) == ["pngCompressionLevel", "pngReducesColors"])
    }
}
#endif
