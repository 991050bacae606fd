public import Calotype

/// A transformer that mirrors a picture.
public struct FlipTransformer: RecipeTransformer {
    /// The direction in which a picture is mirrored.
    public enum Axis: String, Sendable, CaseIterable, ContextValue {
        /// Left and right are exchanged.
        case horizontal
        /// Top and bottom are exchanged.
        case vertical
        /// Both, which is a turn by 180 degrees.
        case both
    }

    /// The direction.
    public var axis: Axis

    /// Creates a transformer that mirrors images. Default: `.horizontal`.
    public init(_ axis: Axis = .horizontal) { self.axis = axis }

    public static let recipe = TransformerRecipe(
        "flip", defaults: FlipTransformer(), summary: "Mirrors the picture.",
        parameters: [.optional("axis", \.axis, isLabeled: false, summary: "The direction.")])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        let orientation: Orientation =
            switch axis {
            case .horizontal: .upMirrored
            case .vertical: .downMirrored
            case .both: .down
            }
        return image.replacing(pixels: try image.pixels.upright(from: orientation, job: context.job))
    }
}

extension Transformer where Self == FlipTransformer {
    /// Returns a transformer that mirrors an image. See ``FlipTransformer``.
    public static func flip(_ axis: FlipTransformer.Axis = .horizontal) -> FlipTransformer { FlipTransformer(axis) }
}
