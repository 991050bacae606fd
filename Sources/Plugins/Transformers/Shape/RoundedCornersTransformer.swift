public import Calotype

/// A transformer that rounds the corners of a picture. Pixels outside become transparent.
///
/// Edges are smooth: the alpha of a pixel on an edge is the exact part of the pixel that lies inside.
public struct RoundedCornersTransformer: RecipeTransformer {
    /// A list of corners.
    public struct Corners: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The top left corner.
        public static let topLeft = Corners(rawValue: 1)
        /// The top right corner.
        public static let topRight = Corners(rawValue: 2)
        /// The bottom left corner.
        public static let bottomLeft = Corners(rawValue: 4)
        /// The bottom right corner.
        public static let bottomRight = Corners(rawValue: 8)
        /// All four corners.
        public static let all: Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]
    }

    /// The radius. It is limited to half of the shorter side of the picture.
    public var radius: Length
    /// The corners that are rounded.
    public var corners: Corners
    /// The width of the border, which is drawn inside the edge.
    public var borderWidth: Length
    /// The color of the border.
    public var borderColor: PixelColor

    /// Creates a transformer that rounds corners.
    /// - Parameters:
    ///   - radius: The radius, in pixels or in per cent of the shorter side. More than half of the shorter side has no
    ///     effect.
    ///   - corners: The corners that are rounded. Default: all.
    ///   - borderWidth: The width of the border, which is drawn inside the edge. Default: 0, no border.
    ///   - borderColor: The color of the border. Default: black.
    public init(
        radius: Length, corners: Corners = .all, borderWidth: Length = 0, borderColor: PixelColor = .black
    ) {
        self.radius = radius
        self.corners = corners
        self.borderWidth = borderWidth
        self.borderColor = borderColor
    }

    public static let recipe = TransformerRecipe(
        "round", defaults: RoundedCornersTransformer(radius: 0), summary: "Rounds the corners of the picture.",
        parameters: [
            .required("radius", \.radius, summary: "The radius, in pixels or in per cent of the shorter side."),
            .optional("corners", \.corners, summary: "The corners that are rounded."),
            .optional("border", \.borderWidth, summary: "The width of the border inside the edge."),
            .optional("color", \.borderColor, summary: "The color of the border."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        let size = image.size
        let largest = self.radius.pixels(in: size)
        func radius(of corner: Corners) -> Double { corners.contains(corner) ? largest : 0 }
        let radii = RoundedRectangle.Radii(
            topLeft: radius(of: .topLeft), topRight: radius(of: .topRight), bottomLeft: radius(of: .bottomLeft),
            bottomRight: radius(of: .bottomRight))
        let mask = RoundedMask(
            size: size, radii: radii, borderWidth: borderWidth.pixels(in: size), borderColor: borderColor)
        return image.replacing(pixels: try mask.applied(to: image.pixels, job: context.job))
    }
}

extension RoundedCornersTransformer.Corners: ContextValue {
    private static let named: [(name: String, corner: Self)] = [
        ("topLeft", .topLeft), ("topRight", .topRight), ("bottomLeft", .bottomLeft), ("bottomRight", .bottomRight),
    ]

    public var contextText: String {
        if self == .all { return "all" }
        return isEmpty ? "none" : Self.named.filter { contains($0.corner) }.map(\.name).joined(separator: "+")
    }

    public static var contextSyntax: String { "all, none, or corners joined by +, such as topLeft+topRight" }

    public init?(contextText: String) {
        switch contextText {
        case "all": self = .all
        case "none": self = []
        default:
            let names = contextText.split(separator: "+", omittingEmptySubsequences: false)
            let corners = names.compactMap { name in Self.named.first { $0.name == name }?.corner }
            guard corners.count == names.count else { return nil }
            self = Self(corners)
        }
    }
}

extension Transformer where Self == RoundedCornersTransformer {
    /// Returns a transformer that rounds corners. See ``RoundedCornersTransformer``.
    public static func roundedCorners(
        radius: Length, corners: RoundedCornersTransformer.Corners = .all, borderWidth: Length = 0,
        borderColor: PixelColor = .black
    ) -> RoundedCornersTransformer {
        RoundedCornersTransformer(radius: radius, corners: corners, borderWidth: borderWidth, borderColor: borderColor)
    }
}
