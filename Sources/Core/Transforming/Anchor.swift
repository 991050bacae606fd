/// A point of a picture, given as fractions of its width and height. It stays in view when parts of the picture are cut
/// off, or says where a picture is placed on a larger canvas.
///
/// The anchors ``attention`` and ``entropy`` are looked for in each picture.
public struct Anchor: Hashable, Sendable {
    /// The ways to look for an anchor.
    enum Search {
        case attention
        case entropy
    }

    /// The distance from the left edge, as a fraction of the width: 0 to 1.
    public let x: Double
    /// The distance from the top edge, as a fraction of the height: 0 to 1.
    public let y: Double
    /// The way in which the point is looked for in a picture; nil for a fixed point.
    let search: Search?
    /// Whether the point is looked for in each picture.
    package var isSearched: Bool { search != nil }

    /// Creates a point, such as the center of a face. Values outside 0 to 1 are brought into this range, and NaN
    /// becomes 0.5.
    public init(x: Double, y: Double) {
        self.x = x.isNaN ? 0.5 : min(max(x, 0), 1)
        self.y = y.isNaN ? 0.5 : min(max(y, 0), 1)
        search = nil
    }

    /// Creates an anchor that is looked for. Where a picture is placed on a canvas, it is the center.
    private init(_ search: Search) {
        (x, y) = (0.5, 0.5)
        self.search = search
    }

    /// The part of the picture that draws most attention: with edges, saturated colors, and colors of skin. Where a
    /// picture is placed on a canvas, this is the center.
    public static let attention = Anchor(.attention)
    /// The part of the picture with most detail: whose pixels have the largest entropy. Where a picture is placed on a
    /// canvas, this is the center.
    public static let entropy = Anchor(.entropy)

    /// The center.
    public static let center = Anchor(x: 0.5, y: 0.5)
    /// The middle of the top edge.
    public static let top = Anchor(x: 0.5, y: 0)
    /// The middle of the bottom edge.
    public static let bottom = Anchor(x: 0.5, y: 1)
    /// The middle of the left edge.
    public static let left = Anchor(x: 0, y: 0.5)
    /// The middle of the right edge.
    public static let right = Anchor(x: 1, y: 0.5)
    /// The top left corner.
    public static let topLeft = Anchor(x: 0, y: 0)
    /// The top right corner.
    public static let topRight = Anchor(x: 1, y: 0)
    /// The bottom left corner.
    public static let bottomLeft = Anchor(x: 0, y: 1)
    /// The bottom right corner.
    public static let bottomRight = Anchor(x: 1, y: 1)

    private static let named: [(name: String, anchor: Anchor)] = [
        ("center", .center), ("top", .top), ("bottom", .bottom), ("left", .left), ("right", .right),
        ("topLeft", .topLeft), ("topRight", .topRight), ("bottomLeft", .bottomLeft), ("bottomRight", .bottomRight),
        ("attention", .attention), ("entropy", .entropy),
    ]

    /// Returns where a part of a picture begins, at its top left, that shows this point as near to its middle as the
    /// edges allow.
    /// - Parameters:
    ///   - part: The size of the part, at most that of the whole.
    ///   - whole: The size of the picture.
    public func origin(of part: PixelSize, in whole: PixelSize) -> (x: Int, y: Int) {
        let (x, y) = origin(
            of: (Double(part.width), Double(part.height)), in: (Double(whole.width), Double(whole.height)))
        return (Int(x.rounded()), Int(y.rounded()))
    }

    /// Returns where a part begins that shows this point as near to its middle as the edges allow.
    /// - Parameters:
    ///   - part: The size of the part, at most that of the whole.
    ///   - whole: The size of the picture.
    func origin(
        of part: (width: Double, height: Double), in whole: (width: Double, height: Double)
    ) -> (x: Double, y: Double) {
        func start(_ fraction: Double, _ length: Double, _ whole: Double) -> Double {
            min(max(fraction * whole - length / 2, 0), whole - length)
        }
        return (start(x, part.width, whole.width), start(y, part.height, whole.height))
    }

    /// Returns the offset of a picture within a larger canvas: none for the top left corner, and all of the free space
    /// for the bottom right corner.
    package func offset(of size: PixelSize, in canvas: PixelSize) -> (x: Int, y: Int) {
        (
            Int((x * Double(canvas.width - size.width)).rounded()),
            Int((y * Double(canvas.height - size.height)).rounded())
        )
    }
}

extension Anchor: ContextValue {
    /// The name of an edge or a corner, or two numbers joined by a colon, for example `0.3:0.7`.
    public var contextText: String {
        Self.named.first { $0.anchor == self }?.name ?? "\(x.contextText):\(y.contextText)"
    }

    public static var contextSyntax: String {
        named.map(\.name).joined(separator: ", ") + " or X:Y with fractions of the sides, for example 0.3:0.7"
    }

    public init?(contextText: String) {
        if let known = Self.named.first(where: { $0.name == contextText }) {
            self = known.anchor
            return
        }
        let parts = contextText.split(separator: ":", omittingEmptySubsequences: false)
        let fractions = parts.compactMap { Double(contextText: String($0)) }.filter { (0...1).contains($0) }
        guard parts.count == 2, fractions.count == 2 else { return nil }
        self.init(x: fractions[0], y: fractions[1])
    }
}
