#if PNG
import CalotypeStandard
import CalotypeTesting
import Testing

/// Simple transformers combined with a coder that writes fewer channels if possible.
@Suite(.timeLimit(.minutes(5)))
struct TransformedPictureTests {
    /// Cuts the corners off, and paints one pixel red.
    private struct Corners: Transformer {
        let key = "corners"

        func transform(_ image: Image, context: TransformContext) throws -> Image {
            var builder = try PixelBufferBuilder(layout: image.pixels.layout)
            for y in 0..<image.height {
                builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                    for x in 0..<image.width {
                        let isCorner = [0, image.width - 1].contains(x) && [0, image.height - 1].contains(y)
                        let color = isCorner ? SIMD4<UInt8>() : SIMD4(x == 1 ? 255 : 90, 90, 90, 255)
                        row.storeBytes(of: color, toByteOffset: x * 4, as: SIMD4<UInt8>.self)
                    }
                }
            }
            return image.replacing(pixels: builder.finish())
        }
    }

    @Test func `a gray, opaque picture transformed to color and alpha is the same from disk`() async throws {
        let size = PixelSize(12, 9)
        var gray = try PixelBufferBuilder(layout: PixelLayout(size: size))
        gray.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) -> Void in
            _ = memory.initializeMemory(as: UInt8.self, repeating: 255)
        }
        let source = Image(pixels: gray.finish(isOpaque: true, isGray: true))
        let data = InMemoryDataCache()
        func manager() async throws -> ImageManager {
            let manager = ImageManager(
                plugins: [.standard], context: [.imageCache(TieredCache(disk: data)), .waitStoreCache])
            let file = try await manager.encode(source, as: .png)
            manager.registry.loaders.add(FakeImageLoader(answer: .bytes(file)))
            return manager
        }
        func bytes(_ image: Image) -> [UInt8] {
            (0..<image.height).flatMap { y in
                image.pixels.withRow(y) { (row: RawSpan) -> [UInt8] in row.withUnsafeBytes { Array($0) } }
            }
        }
        let request = ImageRequest("fake://host/picture.png", context: [.transformer(Corners())])
        let first = try await manager().response(for: request)
        let second = try await manager().response(for: request)
        #expect([first.source, second.source] == [.loader, .disk])
        #expect(bytes(first.image) == bytes(second.image))
        #expect(second.image.pixels.color(x: 0, y: 0).alpha == 0)
        #expect(second.image.pixels.color(x: 1, y: 4).red == 1)
    }
}
#endif
