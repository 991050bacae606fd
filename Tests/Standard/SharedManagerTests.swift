import CalotypeStandard
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SharedManagerTests {
    @Test func `a separate manager shares nothing with the shared one`() async throws {
        let own = ImageManager(plugins: [.standard])
        #expect(own !== ImageManager.shared)
        #expect(ImageManager.shared === ImageManager.shared)
        own.registry.coders.add(RawImageCoder())
        #expect(!ImageManager.shared.registry.coders.elements.contains { $0 is RawImageCoder })
        own.context.set(.maxPixels(5))
        #expect(ImageManager.shared.context[.maxPixels] == nil)
        let pixels = try PixelBufferBuilder(layout: PixelLayout(size: PixelSize(2, 2))).finish()
        let request = ImageRequest("fake://host/own.raw")
        try await own.store(Image(pixels: pixels), for: request, in: .memory)
        #expect(own.cachedResponse(for: request) != nil)
        #expect(ImageManager.shared.cachedResponse(for: request) == nil)
    }
}
