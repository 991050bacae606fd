#if WEBP
import Calotype
import CalotypeTesting
import CalotypeWebP
import Foundation
import Testing

/// Small files with large claims or large output.
@Suite(.timeLimit(.minutes(5)))
struct WebPBombTests {
    private let manager = ImageManager(plugins: [.webp], context: [.off(.imageCache)])

    private func chunks(_ name: String) throws -> [WebPChunk] {
        WebPChunk.all(of: try WebPFixture.named(name).webp())
    }

    private func expectRefusal(_ data: Data, key: String, _ context: ImageContext = []) async {
        for more in [[], [.thumbnailPixelSize(8, 8)], [.frame(0)], [.allowPartial]] as [ImageContext] {
            let context = context.merging(more)
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.advice?.contains("`\(key)`") == true)
        }
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data, context: context) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `a still with a huge size is refused by its header`() async throws {
        // Source: WebP Lossless Bitstream Specification, section 3: a signature, 14 bits each for width and height
        // minus one, a bit for alpha, three for the version.
        let header = UInt32(16_382 | 16_382 << 14)
        let body = Data([0x2F]) + withUnsafeBytes(of: header.littleEndian) { Data($0) } + Data(count: 16)
        await expectRefusal(WebPChunk.file([WebPChunk(name: "VP8L", body: body)]), key: "maxPixels")
    }

    @Test func `an animation on a huge canvas is refused`() async throws {
        var parts = try chunks("animated-two")
        let header = try #require(parts.firstIndex { $0.name == "VP8X" })
        // Source: RFC 9649, section 2.7.1: after flags and reserved bytes, 24 bits each for width and height minus one.
        let side = Data([0xFF, 0x4F, 0x00])
        parts[header].body = parts[header].body.prefix(4) + side + side
        let file = WebPChunk.file(parts)
        await expectRefusal(file, key: "maxPixels")
        #expect(try await manager.info(of: file, context: [.maxPixels(1 << 32)]).size == PixelSize(20_480, 20_480))
    }

    @Test func `more frames than allowed are refused`() async throws {
        let parts = try chunks("animated-two")
        let frame = try #require(parts.first { $0.name == "ANMF" })
        let others = parts.filter { $0.name != "ANMF" }
        let file = WebPChunk.file(others + Array(repeating: frame, count: 5000))
        await expectRefusal(file, key: "maxFrames")
        let image = try await manager.decode(file, context: [.maxFrames(5000)])
        #expect(image.frames?.frameCount == 5000)
        let last = try #require(try image.frames?.frame(4999, job: Job()))
        #expect(last.size == PixelSize(4, 4))
    }

    @Test func `frames nested in a frame are counted`() async throws {
        let parts = try chunks("animated-two")
        let frame = try #require(parts.first { $0.name == "ANMF" })
        // A frame whose payload contains further frames after its picture.
        var outer = frame
        outer.body += WebPChunk.bytes(Array(repeating: frame, count: 5000))
        let file = WebPChunk.file(parts.filter { $0.name != "ANMF" } + [outer])
        await expectRefusal(file, key: "maxFrames")
        var noisy = frame
        noisy.body += WebPChunk.bytes(Array(repeating: WebPChunk(name: "what", body: Data()), count: 2000))
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(WebPChunk.file(parts.filter { $0.name != "ANMF" } + [noisy]))
        }
        #expect(error?.code == .badData)
    }

    @Test func `more chunks than real files have are an error`() async throws {
        let parts = try chunks("animated-two")
        let unknown = Array(repeating: WebPChunk(name: "what", body: Data()), count: 2000)
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(WebPChunk.file(parts + unknown))
        }
        #expect(error?.code == .badData)
        #expect(try await manager.decode(WebPChunk.file(parts + unknown.prefix(900))).frames?.frameCount == 2)
    }

    @Test(arguments: [("ICCP", "maxProfileBytes"), ("EXIF", "maxMetadataBytes"), ("XMP ", "maxMetadataBytes")])
    func `a profile and metadata that are too long are refused`(chunk: String, key: String) async throws {
        var parts = try chunks("animated-metadata")
        let place = try #require(parts.firstIndex { $0.name == chunk })
        parts[place].body = Data(count: 5 << 20)
        await expectRefusal(WebPChunk.file(parts), key: key, [.keepsMetadata])
        // Metadata is skipped unless it is requested.
        guard chunk != "ICCP" else { return }
        #expect(try await manager.decode(WebPChunk.file(parts)).frames?.frameCount == 3)
    }
}
#endif
