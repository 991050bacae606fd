public import Calotype

/// A transformer that makes parts of a picture transparent, as another image tells.
public struct MaskTransformer: RecipeTransformer, ComposingTransformer {
    /// The property of the mask that tells how opaque a pixel is.
    public enum Channel: String, Sendable, CaseIterable, ContextValue {
        /// Its alpha; the luminance if the mask is opaque.
        case automatic = "auto"
        /// Its alpha.
        case alpha
        /// Its luminance, multiplied by its alpha: white keeps the picture, and black hides it.
        case luminance
    }

    /// The mask, which is stretched to the size of the picture.
    public var source: ImageSource
    /// The property of the mask that tells how opaque a pixel is.
    public var channel: Channel

    /// Creates a transformer that makes parts of images transparent.
    /// - Parameters:
    ///   - url: The URL of the mask. It is loaded through the manager, and stretched to the size of the picture.
    ///   - channel: The property of the mask that tells how opaque a pixel is. Default: `.automatic`.
    public init(_ url: URL, channel: Channel = .automatic) {
        source = ImageSource(url)
        self.channel = channel
    }

    public static let recipe = TransformerRecipe(
        "mask", defaults: MaskTransformer(URL(filePath: "/")),
        summary: "Makes parts of the picture transparent, as another image tells.",
        parameters: [
            .required("source", \.source, summary: "The URL of the mask."),
            .optional("channel", \.channel, isLabeled: false, summary: "What of the mask tells how opaque a pixel is."),
        ])

    public var sources: [URL] { [source.url] }

    public func transform(_ image: Image, with others: [Image], context: TransformContext) throws -> Image {
        let mask = try others[0].pixels.resampled(
            to: image.size, resampling: Resampling(filter: .bilinear), job: context.job)
        let isLuminance = channel == .luminance || channel == .automatic && others[0].pixels.isOpaque
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
                            pixels[x].w *= isLuminance ? Self.luminance(of: shares.base[x]) : shares.base[x].w
                        }
                    }
                }
            }
        }
        return image.replacing(pixels: canvas.finish(isOpaque: false, isGray: image.pixels.isGray))
    }

    /// Returns the luma of a color multiplied by its alpha, limited to 0 to 1. Source: ITU-R BT.709-6, section 3.2.
    private static func luminance(of color: SIMD4<Float>) -> Float {
        let luma = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
        return min(max(luma, 0), 1) * color.w
    }
}

extension Transformer where Self == MaskTransformer {
    /// Returns a transformer that makes parts of an image transparent, as another image tells. See ``MaskTransformer``.
    public static func mask(_ url: URL, channel: MaskTransformer.Channel = .automatic) -> MaskTransformer {
        MaskTransformer(url, channel: channel)
    }
}
