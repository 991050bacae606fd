import CKernels
public import Calotype

/// A transformer that sharpens a picture with an unsharp mask: it enlarges the difference between the picture and its
/// blurred version.
public struct SharpenTransformer: RecipeTransformer {
    /// The factor of the difference.
    public var amount: Double
    /// The standard deviation of the blur, in pixels.
    public var sigma: Double
    /// The least difference that is enlarged, as a part of the full level.
    public var threshold: Double

    /// Creates a transformer that sharpens images.
    /// - Parameters:
    ///   - amount: The factor of the difference, 0 to 100; 0 changes nothing. Default: 1.
    ///   - sigma: The standard deviation of the blur in pixels, 0 to 1,000. Default: 1.
    ///   - threshold: The least difference that is enlarged, as a part of the full level, 0 to 1. A small value keeps
    ///     noise from being sharpened. Default: 0.
    public init(amount: Double = 1, sigma: Double = 1, threshold: Double = 0) {
        self.amount = amount
        self.sigma = sigma
        self.threshold = threshold
    }

    public static let recipe = TransformerRecipe(
        "sharpen", defaults: SharpenTransformer(), summary: "Sharpens the picture.",
        parameters: [
            .optional("amount", \.amount, in: 0...100, isLabeled: false, summary: "How much edges are enlarged."),
            .optional("sigma", \.sigma, in: 0...1000, summary: "The standard deviation of the blur in pixels."),
            .optional("threshold", \.threshold, in: 0...1, summary: "The least difference that is enlarged."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        guard amount > 0, sigma > 0 else { return image }
        let pixels = image.pixels
        let blurred = try GaussianBlur(sigma: sigma).applied(to: pixels, job: context.job)
        let sharpened = try pixels.mappingRows(to: pixels.layout, job: context.job) { y, source, target in
            blurred.withRow(y) { soft in
                soft.withUnsafeBytes { soft in
                    sharpen(
                        source.baseAddress!, soft.baseAddress!, target.baseAddress!, pixels.format, pixels.width)
                }
            }
        }
        return image.replacing(pixels: sharpened)
    }

    /// Sharpens a row of pixels.
    private func sharpen(
        _ row: UnsafeRawPointer, _ blurred: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ format: PixelFormat,
        _ count: Int
    ) {
        let (amount, threshold) = (Float(amount), Float(threshold))
        switch format {
        case .rgba8:
            ck_sharpen_rgba8(
                row.assumingMemoryBound(to: UInt8.self), blurred.assumingMemoryBound(to: UInt8.self), amount, threshold,
                target.assumingMemoryBound(to: UInt8.self), count)
        case .rgba16:
            ck_sharpen_rgba16(
                row.assumingMemoryBound(to: UInt16.self), blurred.assumingMemoryBound(to: UInt16.self), amount,
                threshold, target.assumingMemoryBound(to: UInt16.self), count)
        case .rgbaFloat:
            ck_sharpen_rgba_float(
                row.assumingMemoryBound(to: Float.self), blurred.assumingMemoryBound(to: Float.self), amount, threshold,
                target.assumingMemoryBound(to: Float.self), count)
        }
    }
}

extension Transformer where Self == SharpenTransformer {
    /// Returns a transformer that sharpens an image. See ``SharpenTransformer``.
    public static func sharpen(amount: Double = 1, sigma: Double = 1, threshold: Double = 0) -> SharpenTransformer {
        SharpenTransformer(amount: amount, sigma: sigma, threshold: threshold)
    }
}
