public import Calotype

/// A transformer that makes a picture transparent where another image, the mask, is dark or transparent.
public struct MaskTransformer: RecipeTransformer, ComposingTransformer {
    /// The channel of the mask that sets the opacity.
    public enum Channel: String, Sendable, CaseIterable, ContextValue {
        /// Its alpha; the luminance if every pixel of the mask is opaque.
        case automatic = "auto"
        /// Its alpha.
        case alpha
        /// Its luminance, multiplied by its alpha: white keeps the picture, and black hides it. This is the luma of the
        /// encoded levels.
        case luminance
    }

    /// The mask, which is stretched to the size of the picture.
    public var source: ImageSource
    /// The channel of the mask that sets the opacity.
    public var channel: Channel

    /// Creates a transformer that makes images transparent where another image is dark or transparent.
    /// - Parameters:
    ///   - url: The URL of the mask. It is loaded through the manager, and stretched to the size of the picture.
    ///   - channel: The channel of the mask that sets the opacity. Default: `.automatic`.
    public init(_ url: URL, channel: Channel = .automatic) {
        source = ImageSource(url)
        self.channel = channel
    }

    public static let recipe = TransformerRecipe(
        "mask", defaults: MaskTransformer(URL(filePath: "/")),
        summary: "Makes the picture transparent where another image is dark or transparent.",
        parameters: [
            .required("source", \.source, summary: "The URL of the mask."),
            .optional("channel", \.channel, isLabeled: false, summary: "The channel that sets the opacity."),
        ])

    public var sources: [URL] { [source.url] }

    public func transform(_ image: Image, with others: [Image], context: TransformContext) throws -> Image {
        guard let other = others.first?.pixels else { return try transform(image, context: context) }
        let mask = try other.resampled(
            to: image.size, resampling: Resampling(filter: .bilinear), job: context.job)
        // Files with an alpha channel can be opaque without a claim.
        let isOpaque = other.isOpaque || (0..<other.height).allSatisfy { other.isRowOpaque($0) }
        let isLuminance = channel == .luminance || channel == .automatic && isOpaque
        let (width, format) = (image.width, image.pixels.format)
        let floats = try FloatRow(pixelCount: width)
        let shares = try RowMemory<SIMD4<Float>>(count: width)
        var canvas = try PixelBufferBuilder(copying: image.pixels)
        for y in 0..<image.height {
            try context.job.check()
            mask.readFloats(ofRow: y, into: shares)
            canvas.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { row in
                    floats.change(row, columns: 0..<width, of: format) { pixels in
                        for x in 0..<width {
                            pixels[x].w *= Self.share(of: shares.base[x], isLuminance: isLuminance)
                        }
                    }
                }
            }
        }
        return image.replacing(pixels: canvas.finish(isOpaque: false, isGray: image.pixels.isGray))
    }

    /// Returns the part of a picture's opacity that a pixel of the mask keeps, 0 to 1; 0 for NaN. Source of the
    /// weights: ITU-R BT.709-6, section 3.2.
    private static func share(of color: SIMD4<Float>, isLuminance: Bool) -> Float {
        let luma = isLuminance ? 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z : 1
        let share = luma * color.w
        return share > 0 ? min(share, 1) : 0
    }
}

extension Transformer where Self == MaskTransformer {
    /// Returns a transformer that makes an image transparent where another image is dark or transparent. See
    /// ``MaskTransformer``.
    public static func mask(_ url: URL, channel: MaskTransformer.Channel = .automatic) -> MaskTransformer {
        MaskTransformer(url, channel: channel)
    }
}
