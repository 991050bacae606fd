public import Calotype

/// A transformer that gives all pixels of a block the average color of the block.
///
/// Blocks begin at the top left. Those at the right and at the bottom can be smaller. Colors are weighted by alpha.
public struct PixelateTransformer: RecipeTransformer {
    /// The side of a block in pixels.
    public var size: Int

    /// Creates a transformer that pixelates images.
    /// - Parameter size: The side of a block in pixels, at least 1; 1 changes nothing.
    public init(size: Int) { self.size = size }

    public static let recipe = TransformerRecipe(
        "pixelate", defaults: PixelateTransformer(size: 1), summary: "Makes blocks of one color.",
        parameters: [.required("size", \.size, in: 1...1_000_000, summary: "The side of a block in pixels.")])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        guard size > 1 else { return image }
        let pixels = image.pixels
        var builder = try PixelBufferBuilder(mapping: pixels, to: pixels.layout)
        let row = try RowMemory<SIMD4<Float>>(count: pixels.width)
        for top in stride(from: 0, to: pixels.height, by: size) {
            let rows = top..<min(top + size, pixels.height)
            let blocks = try averages(of: rows, in: pixels, row, job: context.job)
            for x in 0..<pixels.width { row.base[x] = blocks[x / size] }
            for y in rows {
                try context.job.check()
                builder.withRow(y) { (target: inout MutableRawSpan) -> Void in
                    target.withUnsafeMutableBytes { target in
                        pixels.format.convert(
                            row.base, from: .rgbaFloat, to: target.baseAddress!, pixelCount: pixels.width)
                    }
                }
            }
        }
        return image.replacing(pixels: builder.finish())
    }

    /// Returns the average colors of the blocks in some rows.
    /// - Parameter row: Memory for a row of pixels.
    private func averages(
        of rows: Range<Int>, in pixels: PixelBuffer, _ row: RowMemory<SIMD4<Float>>, job: Job
    ) throws(ImageError) -> [SIMD4<Float>] {
        var sums = [SIMD4<Double>](repeating: .zero, count: (pixels.width + size - 1) / size)
        for y in rows {
            try job.check()
            pixels.readFloats(ofRow: y, into: row)
            for block in sums.indices {
                for x in block * size..<min(block * size + size, pixels.width) {
                    let pixel = SIMD4<Double>(row.base[x])
                    sums[block] += SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w)
                }
            }
        }
        return sums.enumerated().map { block, sum in
            guard sum.w > 0 else { return .zero }
            let columnCount = min(size, pixels.width - block * size)
            let color = sum / sum.w
            return SIMD4<Float>(SIMD4(color.x, color.y, color.z, sum.w / Double(columnCount * rows.count)))
        }
    }
}

extension Transformer where Self == PixelateTransformer {
    /// Returns a transformer that makes blocks of one color. See ``PixelateTransformer``.
    public static func pixelate(size: Int) -> PixelateTransformer { PixelateTransformer(size: size) }
}
