import CalotypeTesting
import Testing

@testable import Calotype

/// Rows of `Tests/PARITY.md` that no other suite covers.
@Suite(.timeLimit(.minutes(5)))
struct ParityTests {
    /// Returns a bench whose source has a picture of 80 by 60, and whose manager transforms all images.
    private func bench(_ transformer: FakeTransformer) -> Bench {
        let bench = Bench(context: [.transformer(transformer)])
        bench.loader.answer(Bench.url.absoluteString, with: .bytes(RawImageCoder.file(width: 80, height: 60)))
        return bench
    }

    /// Returns the entry on disk for the bench's own request.
    private func entry(_ bench: Bench) async throws -> CacheEntry {
        let key = try await bench.manager.cacheKey(for: bench.request())
        #expect(!key.isOriginal)
        return try #require(try bench.data.entry(for: key))
    }

    @Test func `the result of a manager's transformer is delivered and stored unchanged`() async throws {
        let made = Image(pixels: try PixelBuffer.noise(PixelSize(40, 30), isOpaque: true, seed: 1))
        let bench = bench(FakeTransformer { _ in made })
        let response = try await bench.manager.response(for: bench.request([.waitStoreCache]))
        #expect(response.source == .loader)
        let isMade = response.image.pixels.storage === made.pixels.storage
        #expect(isMade)
        #expect(response.image.attributes.format == nil, "the transformer's image has no format")
        let entry = try await entry(bench)
        // Decoded by a manager without transformers.
        let stored = try await Bench().manager.decode(entry.data)
        #expect(stored.size == PixelSize(40, 30))
        #expect(stored.colors == made.colors)
    }

    @Test func `a transformer that replaces the pixels keeps the source's format, on disk too`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(40, 30), isOpaque: true, seed: 1)
        let made = Lock<Image?>(nil)
        let transformer = FakeTransformer { source in
            let image = source.replacing(pixels: pixels)
            made.withLock { $0 = image }
            return image
        }
        let bench = bench(transformer)
        let image = try await bench.manager.image(for: bench.request([.waitStoreCache]))
        let returned = try #require(made.withLock { $0 })
        #expect(image.isIdentical(to: returned))
        #expect(image.attributes.format == RawImageCoder.format)
        #expect(image.attributes.originalSize == PixelSize(80, 60))
        #expect(try await entry(bench).attributes["format"] == RawImageCoder.format.name)
        bench.memory.clear()
        let again = try await bench.manager.response(for: bench.request())
        #expect(again.source == .disk)
        #expect(again.image.attributes == image.attributes)
        #expect(again.image.colors == image.colors)
        #expect(transformer.callCount == 1)
    }
}
