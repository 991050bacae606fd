#if GIF
import Calotype
import CalotypeGIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// Small files with large claims or large output.
@Suite(.timeLimit(.minutes(5)))
struct GIFBombTests {
    /// A file that is assembled from parts.
    private struct Recipe: Decodable {
        struct Part: Decodable {
            let hex: String
            let count: Int
        }

        let name: String
        let parts: [Part]?
    }

    private let manager = ImageManager(plugins: [.gif], context: [.off(.imageCache)])

    private func file(_ name: String) throws -> Data {
        let recipes = try JSONDecoder().decode([Recipe].self, from: GIFFixture.directory.data("odd.json"))
        let recipe = try #require(recipes.first { $0.name == name })
        let parts = try #require(recipe.parts)
        return parts.reduce(into: Data()) { file, part in
            let digits = Array(part.hex.utf8)
            let bytes = stride(from: 0, to: digits.count, by: 2).map { start in
                UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) ?? 0
            }
            for _ in 0..<part.count { file += bytes }
        }
    }

    @Test(arguments: ["odd-bomb", "odd-huge-canvas", "odd-huge-frame"])
    func `a picture over the limits is refused before it is decoded`(_ name: String) async throws {
        let data = try GIFFixture.directory.data(name + ".gif")
        #expect(data.count < 2000)
        for context in [[], [.thumbnailPixelSize(8, 8)], [.frame(0)], [.allowPartial]] as [ImageContext] {
            let error = await #expect(throws: ImageError.self) { try await manager.decode(data, context: context) }
            #expect(error?.code == .limitExceeded)
        }
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `more frames than allowed are refused`() async throws {
        let data = try file("odd-many-frames")
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("maxFrames") == true)
        #expect(try await manager.info(of: data, context: [.maxFrames(20_000)]).frameCount == 20_000)
    }

    @Test func `comments and unknown extensions are skipped`() async throws {
        let image = try await manager.decode(file("odd-many-comments"))
        #expect(image.size == PixelSize(1, 1))
    }

    // MARK: Assembled files

    private static func short(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }

    /// Returns a header for a canvas of this size, with two colors.
    private static func header(_ size: PixelSize) -> [UInt8] {
        Array("GIF89a".utf8) + short(size.width) + short(size.height) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    }

    /// Returns a frame with hardly any pixel data: a clear code and the end.
    private static func frame(_ size: PixelSize, isInterlaced: Bool = false) -> [UInt8] {
        [UInt8(ascii: ","), 0, 0, 0, 0] + short(size.width) + short(size.height)
            + [isInterlaced ? 0x40 : 0, 2, 1, 0x2C, 0]
    }

    @Test(arguments: [true, false])
    func `pixels beyond the canvas are counted too`(isInterlaced: Bool) async throws {
        let large = Self.frame(PixelSize(16_000, 16_000), isInterlaced: isInterlaced)
        let frames = Self.frame(PixelSize(1, 1)) + (0..<100).flatMap { _ in large }
        let data = Data(Self.header(PixelSize(1, 1)) + frames + [UInt8(ascii: ";")])
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("maxTotalPixels") == true)
    }

    @Test func `an empty frame ends the file`() async throws {
        let one = PixelSize(1, 1)
        let data = Data(
            Self.header(one) + Self.frame(one) + Self.frame(one) + Self.frame(PixelSize(0, 3)) + Self.frame(one))
        let error = await #expect(throws: ImageError.self) { try await manager.info(of: data) }
        #expect(error?.code == .badData)
        #expect(try await manager.info(of: data, context: [.allowPartial]).frameCount == 2)
    }

    @Test func `the loop extension may follow others`() async throws {
        let one = PixelSize(1, 1)
        let loops: [UInt8] =
            [UInt8(ascii: "!"), 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [5, 2, 0, 0, 1, 0, 3, 1, 4, 0, 0]
        let data = Data(Self.header(one) + loops + Self.frame(one) + Self.frame(one) + [UInt8(ascii: ";")])
        #expect(try await manager.info(of: data).loopCount == 5)
    }
}
#endif
