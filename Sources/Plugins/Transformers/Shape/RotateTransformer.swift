public import Calotype

/// A transformer that turns a picture.
///
/// Multiples of 90 degrees only move pixels, unless the middle of the canvas then lies between two pixels. For other
/// angles, new pixels are computed with the cubic filter Catmull-Rom, with colors weighted by alpha, and edges are
/// smooth.
public struct RotateTransformer: RecipeTransformer {
    /// The size of the result.
    public enum Canvas: String, Sendable, CaseIterable, ContextValue {
        /// The smallest size that contains the whole turned picture.
        case grow
        /// The size of the original picture. What lies beyond is cut off.
        case keep
    }

    /// The angle in degrees, clockwise.
    public var degrees: Double
    /// The size of the result.
    public var canvas: Canvas
    /// The color of the canvas around the turned picture.
    public var background: PixelColor

    /// Creates a transformer that turns images around their center.
    /// - Parameters:
    ///   - degrees: The angle, clockwise: -36,000 to 36,000.
    ///   - canvas: The size of the result. Default: `.grow`.
    ///   - background: The color of the canvas around the turned picture. Default: transparent.
    public init(degrees: Double, canvas: Canvas = .grow, background: PixelColor = .clear) {
        self.degrees = degrees
        self.canvas = canvas
        self.background = background
    }

    public static let recipe = TransformerRecipe(
        "rotate", defaults: RotateTransformer(degrees: 0), summary: "Turns the picture.",
        parameters: [
            .required("degrees", \.degrees, in: -36_000...36_000, summary: "The angle in degrees, clockwise."),
            .optional("canvas", \.canvas, isLabeled: false, summary: "The size of the result."),
            .optional("background", \.background, summary: "The color of the canvas around the picture."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        try checkParameters()
        let turn = degrees.remainder(dividingBy: 360)
        if let pixels = try quarterTurned(image.pixels, by: turn, job: context.job) {
            return image.replacing(pixels: pixels)
        }
        let rotation = PixelRotation(degrees: turn, source: image.size, isGrowing: canvas == .grow)
        try context.check(rotation.targetSize)
        return image.replacing(
            pixels: try rotation.applied(to: image.pixels, background: background, job: context.job))
    }

    /// Returns pixels turned by a multiple of 90 degrees; nil if pixels must be computed.
    private func quarterTurned(_ pixels: PixelBuffer, by turn: Double, job: Job) throws(ImageError) -> PixelBuffer? {
        let orientation: Orientation
        switch turn {
        case 0: return pixels
        case 180, -180: return try pixels.upright(from: .down, job: job)
        case 90: orientation = .right
        case -90: orientation = .left
        default: return nil
        }
        let difference = pixels.width - pixels.height
        guard canvas == .keep, difference != 0 else { return try pixels.upright(from: orientation, job: job) }
        guard difference.isMultiple(of: 2) else { return nil }
        let layout = PixelLayout(
            size: pixels.size, format: pixels.format, isOpaque: pixels.isOpaque && background.alpha >= 1,
            isGray: pixels.isGray && background.isGray)
        var builder = try PixelBufferBuilder(mapping: pixels, to: layout)
        try builder.fill(background, job: job)
        try builder.draw(
            pixels.upright(from: orientation, job: job), x: difference / 2, y: -difference / 2, job: job)
        return builder.finish()
    }
}

extension Transformer where Self == RotateTransformer {
    /// Returns a transformer that turns an image around its center. See ``RotateTransformer``.
    public static func rotate(
        degrees: Double, canvas: RotateTransformer.Canvas = .grow, background: PixelColor = .clear
    ) -> RotateTransformer {
        RotateTransformer(degrees: degrees, canvas: canvas, background: background)
    }
}
