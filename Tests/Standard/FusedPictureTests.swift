#if COLOR && PNG && JPEG
import CalotypeStandard
import CalotypeTesting
import Foundation
import Testing

/// Transformers that are done while files of real formats are decoded.
@Suite(.timeLimit(.minutes(5)))
struct FusedPictureTests {
    private let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])

    private static let barrier = CustomTransformer("nothing") { image, _ in image }

    /// Creates a picture of waves in all directions, without details that a smaller size could not show.
    private func waves(_ size: PixelSize) throws -> Image {
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for x in 0..<size.width {
                    let (u, v) = (Double(x) / 640 * 2 * .pi, Double(y) / 640 * 2 * .pi)
                    let waves = [sin(5 * u + 3 * v), cos(4 * v - 2 * u), sin(6 * v + u)]
                    let levels = waves.map { UInt8(127 + 120 * $0) }
                    row.storeBytes(
                        of: SIMD4(levels[0], levels[1], levels[2], 255), toByteOffset: x * 4, as: SIMD4<UInt8>.self)
                }
            }
        }
        return Image(pixels: builder.finish(isOpaque: true, isGray: false))
    }

    @Test func `with exact quality, colors are converted before the picture is made smaller`() async throws {
        let picture = try Image.ramps(in: Fixture.data("rgb-tables.icc", of: .color))
        let file = try await manager.encode(picture, as: .png)
        let steps: [any Transformer] = [.resize(width: 31, height: 17, mode: .fill)]
        let after = try await manager.decode(file, context: [.transformers([Self.barrier] + steps)])
        let exact = try await manager.decode(file, context: [.transformers(steps), .thumbnailQuality(.exact)])
        #expect(exact.pixels.samples == after.pixels.samples)
        let balanced = try await manager.decode(file, context: [.transformers(steps)])
        #expect(SampleDistance(balanced.pixels.samples, after.pixels.samples).largest <= 2)
    }

    private static let recipes = [
        "resize(60x60,fill)", "resize(60x60,fill,anchor=topLeft)", "resize(40x90,fill,anchor=0.3:0.8)",
        "resize(71x0)", "resize(64x50,stretch)", "resize(300x300,fill)",
        "crop(400x300+101+57)|resize(50x50,fill)", "crop(501x301+33+99)|resize(120x0)|crop(31x31+55+5)",
        "crop(200x100+301+203)",
    ]

    @Test(arguments: [ImageFormat.png, .jpeg, .gif, .webp, .heic])
    func `a picture is the same as after decoding, as nearly as the quality permits`(format: ImageFormat) async throws {
        // Formats whose libraries are missing are left out.
        guard manager.registry.formats.contains(format) else { return }
        let file = try await manager.encode(waves(PixelSize(643, 469)), as: format)
        for recipe in Self.recipes {
            let steps = try manager.registry.transformers(recipe: recipe)
            let after = try await manager.decode(file, context: [.transformers([Self.barrier] + steps)])
            for quality in ThumbnailQuality.allCases {
                let fused = try await manager.decode(file, context: [.transformers(steps), .thumbnailQuality(quality)])
                #expect(fused.size == after.size)
                let distance = SampleDistance(fused.pixels.samples, after.pixels.samples)
                // From a quarter or an eighth of the pixels, a small picture is softer at its edges.
                let (largest, mean) =
                    switch quality {
                    case .exact: (0, 0.0)
                    case .balanced: (8, 0.8)
                    case .fast: (24, 2.5)
                    }
                #expect(distance.largest <= largest, "\(recipe), \(quality)")
                #expect(distance.mean <= mean, "\(recipe), \(quality)")
            }
        }
    }
}
#endif
