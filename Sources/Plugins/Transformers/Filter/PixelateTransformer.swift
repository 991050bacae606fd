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
        let pixels = image.pixels
        guard size > 1 else { return image }
        let blocks = try pixels.resampled(
            columns: .blocks(of: size, length: pixels.width), rows: .blocks(of: size, length: pixels.height),
            job: context.job)
        return image.replacing(
            pixels: try blocks.resampled(
                columns: .copies(count: size, length: pixels.width), rows: .copies(count: size, length: pixels.height),
                job: context.job))
    }
}

extension ResamplingWindows {
    /// Returns windows for the averages of blocks.
    fileprivate static func blocks(of size: Int, length: Int) -> ResamplingWindows {
        var made = ResamplingWindows(capacity: (length + size - 1) / size)
        for start in stride(from: 0, to: length, by: size) {
            if start > 0, start + size <= length {
                made.appendTwin(of: made.windows[0], shiftedBy: start)
            } else {
                let end = min(start + size, length)
                made.appendWindow(of: start..<end) { $0.append(contentsOf: repeatElement(1, count: end - start)) }
            }
        }
        return made
    }

    /// Returns windows that repeat each pixel `count` times, and make a line of `length` pixels.
    fileprivate static func copies(count: Int, length: Int) -> ResamplingWindows {
        var made = ResamplingWindows(capacity: length, copies: true)
        made.appendWindow(of: 0..<1) { $0.append(1) }
        for pixel in 1..<max(length, 1) { made.appendTwin(of: made.windows[0], shiftedBy: pixel / count) }
        return made
    }
}

extension Transformer where Self == PixelateTransformer {
    /// Returns a transformer that makes blocks of one color. See ``PixelateTransformer``.
    public static func pixelate(size: Int) -> PixelateTransformer { PixelateTransformer(size: size) }
}
