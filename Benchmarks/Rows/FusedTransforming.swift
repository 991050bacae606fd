#if JPEG
import CalotypeStandard

/// Transformers that are done while the file is decoded, compared with thumbnails of the same size.
enum FusedTransforming {
    private static let size = PixelSize(4000, 3000)

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "fusion/jpeg-12mp-fill", title: "JPEG 12 MP, resize(200x200,fill) / thumbnail 267x200") {
                try await prepare([.resize(width: 200, height: 200, mode: .fill)], PixelSize(267, 200))
            },
            Benchmark(
                id: "fusion/jpeg-12mp-crop-fit", title: "JPEG 12 MP, crop and resize to 300x300 / thumbnail 400x300"
            ) {
                let steps: [any Transformer] = [
                    .crop(to: .aspectRatio(width: 1, height: 1)), .resize(width: 300, height: 300),
                ]
                return try await prepare(steps, PixelSize(400, 300))
            },
        ]
    }

    private static func prepare(_ steps: [any Transformer], _ thumbnail: PixelSize) async throws -> Contest {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let file = try await manager.encode(Image(pixels: DrawnPicture.pixels(size: size, isOpaque: true)), as: .jpeg)
        func contender(_ context: ImageContext) -> Contender {
            Contender { repeats in
                for _ in 0..<repeats {
                    guard try await manager.decode(file, context: context).height <= 300 else {
                        throw BenchmarkError("the picture is larger than it should be")
                    }
                }
            }
        }
        return .comparison(
            subject: contender([.transformers(steps)]),
            peer: contender([.thumbnailPixelSize(thumbnail.width, thumbnail.height)]))
    }
}
#endif
