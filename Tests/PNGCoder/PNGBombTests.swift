#if PNG
import Calotype
import CalotypePNG
import Foundation
import Testing

/// Files that are small and claim, or become, much. Each is refused, or the picture without that, before it costs time
/// or memory: a limit of one minute for all of them is far more than they take.
@Suite(.timeLimit(.minutes(1)))
struct PNGBombTests {
    private let manager = ImageManager(plugins: [.png], context: [.off(.imageCache)])

    /// A zlib stream of 15 MB of zeros in 100 KB, by the fixed codes of RFC 1951: zeros, and then matches with the byte
    /// before. It has no checksum, which nobody gets to see.
    private static let zeros: Data = {
        var bits = Bits()
        bits.append(0b011, count: 3)
        bits.append(reversed: 0b0011_0000, count: 8)
        bits.append(reversed: 0b0011_0000, count: 8)
        for _ in 0..<60_000 {
            // Length 258, which has no extra bits, and distance 1.
            bits.append(reversed: 0b1100_0101, count: 8)
            bits.append(reversed: 0, count: 5)
        }
        bits.append(reversed: 0, count: 7)
        return Data([0x78, 0x01]) + bits.finish()
    }()

    /// Bits, the first in the lowest place of each byte.
    private struct Bits {
        private var bytes: [UInt8] = []
        private var rest = 0
        private var restCount = 0

        mutating func append(_ value: Int, count: Int) {
            rest |= value << restCount
            restCount += count
            while restCount >= 8 {
                bytes.append(UInt8(rest & 0xFF))
                rest >>= 8
                restCount -= 8
            }
        }

        /// Codes begin with their highest bit.
        mutating func append(reversed value: Int, count: Int) {
            append((0..<count).reduce(0) { $0 << 1 | value >> $1 & 1 }, count: count)
        }

        mutating func finish() -> Data {
            append(0, count: 7)
            return Data(bytes)
        }
    }

    private func header(_ width: Int, _ height: Int) -> PNGChunk {
        PNGChunk(
            type: "IHDR", body: PNGChunk.bigEndian(width) + PNGChunk.bigEndian(height) + Data([8, 2, 0, 0, 0]))
    }

    /// The picture `upright` with a chunk before its pixels.
    private func picture(with chunk: PNGChunk) throws -> Data {
        var chunks = try PNGChunk.all(of: Fixture.png("upright"))
        chunks.insert(chunk, at: 1)
        return PNGChunk.file(chunks)
    }

    private func refusal(_ data: Data, _ context: ImageContext = []) async -> ImageError? {
        await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
    }

    @Test func `zeros for 65535 by 65535 pixels are refused`() async throws {
        let pixels = PNGChunk(type: "IDAT", body: Self.zeros)
        let data = PNGChunk.file([header(65_535, 65_535), pixels, PNGChunk(type: "IEND", body: Data())])
        let error = await refusal(data)
        #expect(error?.code == .limitExceeded)
        let partial = await refusal(data, [.allowPartial])
        #expect(partial?.code == .limitExceeded)
    }

    @Test func `pixels that go on behind the last row are refused`() async throws {
        let pixels = PNGChunk(type: "IDAT", body: Self.zeros)
        let data = PNGChunk.file([header(10, 10), pixels, PNGChunk(type: "IEND", body: Data())])
        let error = await refusal(data)
        #expect(error?.code == .badData)
        #expect(error?.message.contains("Too much image data") == true)
    }

    @Test func `pixels of a frame that go on behind its last row are refused`() throws {
        var chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        let place = try #require(chunks.firstIndex { $0.type == "fdAT" })
        chunks[place].body = chunks[place].body.prefix(4) + Self.zeros
        let options = DecodeOptions()
        let decoder = try #require(try PNGCoder().decoder(for: ImageBytes(PNGChunk.file(chunks)), options: options))
        let error = #expect(throws: ImageError.self) { try decoder.collected(1) }
        #expect(error?.message.contains("Too much image data") == true)
        let pixels = try decoder.collected(2)
        #expect(pixels.size == PixelSize(8, 1))
    }

    @Test func `a profile that inflates for ever is none, or is refused`() async throws {
        let data = try picture(with: PNGChunk(type: "iCCP", body: Data("name\0\0".utf8) + Self.zeros))
        let info = try await manager.info(of: data)
        #expect(info.isProfileDamaged && info.profile == .sRGB)
    }

    @Test(arguments: ["zTXt", "iTXt"])
    func `text that inflates for ever is passed over`(_ type: String) async throws {
        let start = type == "zTXt" ? "Comment\0\0" : "Comment\0\u{1}\0\0\0"
        let data = try picture(with: PNGChunk(type: type, body: Data(start.utf8) + Self.zeros))
        let image = try await manager.decode(data, context: [.keepsMetadata])
        let expected = try Fixture.samples8("upright")
        #expect(image.pixels.samples == expected)
        #expect(image.attributes.metadata.isEmpty)
    }

    @Test func `XMP that inflates for ever is refused when it is wanted`() async throws {
        let start = Data("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8)
        let data = try picture(with: PNGChunk(type: "iTXt", body: start + Self.zeros))
        let error = await refusal(data, [.keepsMetadata])
        #expect(error?.code == .limitExceeded)
        let image = try await manager.decode(data)
        let expected = try Fixture.samples8("upright")
        #expect(image.pixels.samples == expected)
    }

    @Test func `a hundred thousand frames are refused before one is looked at`() async throws {
        var chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        let place = try #require(chunks.firstIndex { $0.type == "acTL" })
        chunks[place].body = PNGChunk.bigEndian(100_000) + PNGChunk.bigEndian(0)
        // As the file has only three of them, whoever looked would say so.
        let error = await refusal(PNGChunk.file(chunks))
        #expect(error?.code == .limitExceeded)
        let single = await refusal(PNGChunk.file(chunks), [.firstFrameOnly, .maxFrames(99_999)])
        #expect(single?.code == .limitExceeded)
        let looking = await refusal(PNGChunk.file(chunks), [.maxFrames(100_000)])
        #expect(looking?.code == .badData)
    }

    @Test func `many frames that are there are found, where they are allowed`() async throws {
        let chunks = try PNGChunk.all(of: AnimationFixture.named("animated-opaque").png())
        var data = PNGChunk.file([chunks[0]])
        data += PNGChunk(type: "acTL", body: PNGChunk.bigEndian(10_000) + PNGChunk.bigEndian(0)).data
        let control = try #require(chunks.first { $0.type == "fcTL" }).body.dropFirst(4)
        let pixels = try #require(chunks.first { $0.type == "IDAT" })
        data += PNGChunk(type: "fcTL", body: PNGChunk.bigEndian(0) + control).data + pixels.data
        for index in 1..<10_000 {
            data += PNGChunk(type: "fcTL", body: PNGChunk.bigEndian(2 * index - 1) + control).data
            data += PNGChunk(type: "fdAT", body: PNGChunk.bigEndian(2 * index)).data
        }
        data += PNGChunk(type: "IEND", body: Data()).data
        let info = try await manager.info(of: data, context: [.maxFrames(10_000)])
        #expect(info.frameCount == 10_000)
    }
}
#endif
