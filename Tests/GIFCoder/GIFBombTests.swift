#if GIF
import Calotype
import CalotypeGIF
import CalotypeTesting
import Foundation
import Testing

/// Files that are small and claim, or become, much.
@Suite(.timeLimit(.minutes(5)))
struct GIFBombTests {
    /// A file that is put together of parts.
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
        let recipes = try JSONDecoder().decode([Recipe].self, from: GIFFixture.data("odd.json"))
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
    func `what is larger than allowed is refused before it is decoded`(_ name: String) async throws {
        let data = try GIFFixture.data(name + ".gif")
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

    @Test func `what nobody looks at is passed over`() async throws {
        let image = try await manager.decode(file("odd-many-comments"))
        #expect(image.size == PixelSize(1, 1))
    }
}
#endif
