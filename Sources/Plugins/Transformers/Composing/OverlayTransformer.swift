public import Calotype

/// A transformer that draws another image over a picture, such as a watermark.
///
/// The levels of the image are those of sRGB. If a request keeps another profile of the picture, they are not
/// converted.
public struct OverlayTransformer: RecipeTransformer, ComposingTransformer {
    /// The image to draw.
    public var source: ImageSource
    /// The place of the image on the picture.
    public var anchor: Anchor
    /// The distance of the image from the edges of the picture; between tiles, the distance from each other.
    public var margin: Length
    /// The width of the image; 0 for its own width. Its height keeps its shape.
    public var width: Length
    /// The factor for the alpha of the image, 0 to 1.
    public var opacity: Double
    /// The way in which the image is blended with the picture.
    public var mode: BlendMode
    /// Whether the image is repeated over the whole picture, beginning at the anchor.
    public var isTiled: Bool

    /// Creates a transformer that draws an image over others.
    /// - Parameters:
    ///   - url: The URL of the image. It is loaded through the manager. An animation is drawn as its first frame.
    ///   - anchor: The place of the image on the picture. Default: `.center`.
    ///   - margin: The distance of the image from the edges of the picture; between tiles, the distance from each
    ///     other. Default: 0.
    ///   - width: The width of the image, in pixels or in per cent of the picture's shorter side; 0 for its own width.
    ///     Its height keeps its shape. Default: 0.
    ///   - opacity: The factor for the alpha of the image, 0 to 1. Default: 1.
    ///   - mode: The way in which the image is blended with the picture. Default: `.normal`.
    ///   - tiled: Whether the image is repeated over the whole picture. Default: false.
    public init(
        _ url: URL, anchor: Anchor = .center, margin: Length = 0, width: Length = 0, opacity: Double = 1,
        mode: BlendMode = .normal, tiled: Bool = false
    ) {
        source = ImageSource(url)
        self.anchor = anchor
        self.margin = margin
        self.width = width
        self.opacity = opacity
        self.mode = mode
        isTiled = tiled
    }

    public static let recipe = TransformerRecipe(
        "overlay", defaults: OverlayTransformer(URL(filePath: "/")), summary: "Draws another image over the picture.",
        parameters: [
            .required("source", \.source, summary: "The URL of the image."),
            .optional("anchor", \.anchor, isLabeled: false, summary: "The place of the image on the picture."),
            .optional("margin", \.margin, summary: "The distance from the edges, and between tiles."),
            .optional("width", \.width, summary: "The width of the image; 0 for its own."),
            .optional("opacity", \.opacity, in: 0...1, summary: "The factor for the alpha of the image."),
            .optional("mode", \.mode, summary: "How the image is blended with the picture."),
            .optional("tiled", \.isTiled, summary: "Whether the image is repeated over the whole picture."),
        ])

    public var sources: [URL] { [source.url] }

    public func transform(_ image: Image, with others: [Image], context: TransformContext) throws -> Image {
        try checkParameters()
        guard let other = others.first else { return try transform(image, context: context) }
        let drawn = try resized(other.pixels, for: image.size, context)
        let pixels = image.pixels
        let distance = Int(exactly: margin.pixels(in: image.size).rounded()) ?? .max
        var canvas = try PixelBufferBuilder(copying: pixels)
        let columns = places(drawn.width, on: image.width, anchor.x, distance)
        for y in places(drawn.height, on: image.height, anchor.y, distance) {
            try canvas.draw(drawn, columns: columns, y: y, mode: mode, opacity: opacity, job: context.job)
        }
        let isFull = drawn.isOpaque && opacity >= 1
        return image.replacing(
            pixels: canvas.finish(
                isOpaque: pixels.isOpaque && mode.keepsOpacity(under: isFull ? 1 : 0),
                isGray: pixels.isGray && drawn.isGray))
    }

    /// Returns the image in the size in which it is drawn.
    private func resized(
        _ pixels: PixelBuffer, for picture: PixelSize, _ context: TransformContext
    ) throws(ImageError) -> PixelBuffer {
        let exact = width.pixels(in: picture)
        guard exact > 0 else { return pixels }
        guard let wanted = Int(exactly: max(1, exact.rounded())) else {
            throw ImageError(
                .limitExceeded, stage: .transform, message: "the image would be \(width.contextText) wide",
                advice: "choose a smaller width")
        }
        let size = pixels.size.fitting(PixelSize(width: wanted, height: 0), enlarging: true)
        try context.check(size)
        return try pixels.resampled(to: size, job: context.job)
    }

    /// Returns the positions of the image along a side of the picture.
    /// - Parameters:
    ///   - length: The side of the image.
    ///   - whole: The side of the picture.
    ///   - anchor: The anchor along the side, from 0 to 1.
    ///   - distance: The distance from the edges, or from the next tile.
    private func places(_ length: Int, on whole: Int, _ anchor: Double, _ distance: Int) -> [Int] {
        // A margin that leaves no room counts as the largest that does.
        let margin = isTiled ? 0 : min(distance, max(0, whole - length) / 2)
        let first = margin + Int((anchor * Double(whole - length - 2 * margin)).rounded())
        guard isTiled else { return [first] }
        let (step, overflow) = length.addingReportingOverflow(distance)
        guard !overflow else { return [first] }
        // The first tile begins at the edge, or is cut off by it.
        let start = first % step
        return Array(stride(from: start > 0 ? start - step : start, to: whole, by: step))
    }
}

extension Transformer where Self == OverlayTransformer {
    /// Returns a transformer that draws another image over an image. See ``OverlayTransformer``.
    public static func overlay(
        _ url: URL, anchor: Anchor = .center, margin: Length = 0, width: Length = 0, opacity: Double = 1,
        mode: BlendMode = .normal, tiled: Bool = false
    ) -> OverlayTransformer {
        OverlayTransformer(
            url, anchor: anchor, margin: margin, width: width, opacity: opacity, mode: mode, tiled: tiled)
    }
}
