import CalotypeTesting
import Testing

@testable import Calotype

/// Requests that accept a larger size from memory. The picture has 40 by 30 pixels.
@Suite(.timeLimit(.minutes(5)))
struct LargerCachedTests {
    private let bench = Bench()

    private func request(_ width: Int, _ height: Int, _ context: ImageContext = []) -> ImageRequest {
        let size: ImageContext = [.thumbnailPixelSize(width, height)]
        return bench.request(size.merging(context))
    }

    /// Returns the size in memory for a request that accepts a larger one.
    private func found(_ width: Int, _ height: Int, _ context: ImageContext = []) -> PixelSize? {
        bench.manager.cachedResponse(for: request(width, height, context.merging([.allowLargerCached])))?.image.size
    }

    /// Stores an image without an original in memory.
    private func store(_ size: PixelSize, for request: ImageRequest) async throws {
        let pixels = try PixelBufferBuilder(layout: PixelLayout(size: size)).finish()
        try await bench.manager.store(Image(pixels: pixels), for: request, in: .memory)
    }

    @Test func `a larger size in memory is returned at once, unchanged`() async throws {
        let larger = try await bench.manager.image(for: request(20, 20))
        #expect(larger.size == PixelSize(20, 15))
        let wish = request(10, 10, [.allowLargerCached, .scaleFactor(2)])
        let response = try #require(bench.manager.cachedResponse(for: wish))
        #expect(response.image.isIdentical(to: larger))
        #expect(response.image.scale == 2)
        #expect(response.source == .memory)
        #expect(bench.manager.load(wish).isFinished)
        #expect(bench.loader.loadCount == 1)
        #expect(try await bench.manager.contains(wish) == [], "the thumbnail is not stored under the smaller size")
    }

    @Test func `a request that does not allow larger images gets its own size`() async throws {
        _ = try await bench.manager.image(for: request(20, 20))
        #expect(bench.manager.cachedResponse(for: request(10, 10)) == nil)
        #expect(try await bench.manager.image(for: request(10, 10)).size == PixelSize(10, 8))
        #expect(found(10, 10) == PixelSize(10, 8), "an exact match is preferred")
    }

    @Test func `the smallest size that is large enough is used`() async throws {
        for side in [30, 12, 20, 8] { _ = try await bench.manager.image(for: request(side, side)) }
        #expect(found(10, 10) == PixelSize(12, 9))
        #expect(found(13, 0) == PixelSize(20, 15))
        #expect(found(0, 20) == PixelSize(30, 23))
        #expect(found(31, 31) == nil, "an image with fewer pixels than possible is not used")
    }

    @Test func `the smallest size has the fewest pixels, whatever box it was requested for`() async throws {
        _ = try await bench.manager.image(for: request(30, 30))
        _ = try await bench.manager.image(for: request(100, 15))
        #expect(found(10, 10) == PixelSize(20, 15))
        #expect(found(25, 0) == PixelSize(30, 23))
    }

    @Test func `sizes are compared by their resulting pixels`() async throws {
        _ = try await bench.manager.image(for: request(100, 15))
        #expect(found(20, 0) == PixelSize(20, 15))
        #expect(found(20, 100) == PixelSize(20, 15))
        #expect(found(21, 0) == nil)
        _ = try await bench.manager.image(for: request(100, 100))
        #expect(found(39, 0) == PixelSize(40, 30))
        #expect(found(500, 500) == PixelSize(40, 30), "no larger size exists")
    }

    @Test func `the whole picture can be used, whatever the thumbnail options`() async throws {
        _ = try await bench.manager.image(for: bench.request())
        #expect(found(10, 10) == PixelSize(40, 30))
        #expect(found(10, 10, [.resamplingFilter(.box), .linearLight]) == PixelSize(40, 30))
        #expect(found(10, 10, [.nativeDepth]) == nil)
    }

    @Test func `an image with other options is not used`() async throws {
        _ = try await bench.manager.image(for: request(20, 20, [.nativeDepth]))
        _ = try await bench.manager.image(for: request(24, 24, [.resamplingFilter(.box)]))
        _ = try await bench.manager.image(for: request(28, 28, [.transformer(FakeTransformer())]))
        _ = try await bench.manager.image(for: bench.request([.transformer(FakeTransformer())]))
        #expect(found(10, 10) == nil)
        #expect(found(10, 10, [.nativeDepth]) == PixelSize(20, 15))
        #expect(found(10, 10, [.resamplingFilter(.box)]) == PixelSize(24, 18))
        let key = try await bench.manager.cacheKey(for: request(30, 30))
        let strict = VariantKey(source: key.source, policy: "strict", variant: key.variant)
        let pixels = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(30, 23))).finish()
        bench.memory.store(
            Image(pixels: pixels, attributes: Image.Attributes(originalSize: PixelSize(40, 30))), for: strict)
        #expect(found(10, 10) == nil)
    }

    @Test func `transformed images and other shapes are not made from a larger picture`() async throws {
        _ = try await bench.manager.image(for: bench.request())
        _ = try await bench.manager.image(for: request(20, 20, [.transformer(FakeTransformer())]))
        _ = try await bench.manager.image(for: request(20, 20, [.preservesAspectRatio(false)]))
        #expect(found(10, 10, [.transformer(FakeTransformer())]) == nil)
        #expect(found(10, 5, [.preservesAspectRatio(false)]) == nil)
    }

    @Test func `a thumbnail of unknown original size does not count as larger`() async throws {
        try await store(PixelSize(12, 9), for: request(20, 20))
        #expect(found(16, 16) == nil)
        #expect(found(10, 10) == nil)
        try await store(PixelSize(12, 9), for: bench.request())
        #expect(found(16, 16) == PixelSize(12, 9), "the whole picture has no more pixels")
    }

    @Test func `neither removed images nor other sources are used`() async throws {
        _ = try await bench.manager.image(for: request(20, 20))
        let other = ImageRequest("fake://host/other.raw", context: [.thumbnailPixelSize(30, 30)])
        _ = try await bench.manager.image(for: other)
        try await bench.manager.remove(request(20, 20))
        #expect(found(10, 10) == nil)
    }

    @Test func `requests that skip memory get nothing from it`() async throws {
        _ = try await bench.manager.image(for: request(20, 20))
        #expect(found(10, 10, [.fromLoaderOnly]) == nil)
        #expect(found(10, 10, [.queryCacheType(.disk)]) == nil)
    }
}
