public import Calotype

/// Distances along the four edges of a picture, in pixels.
public struct Margins: Hashable, Sendable {
    /// The distance at the top.
    public var top: Int
    /// The distance at the right.
    public var right: Int
    /// The distance at the bottom.
    public var bottom: Int
    /// The distance at the left.
    public var left: Int

    /// The largest distance.
    private static let limit = 1_000_000

    /// Creates distances, in the order of CSS. A transformer refuses distances below 0 and above 1,000,000.
    public init(top: Int = 0, right: Int = 0, bottom: Int = 0, left: Int = 0) {
        self.top = top
        self.right = right
        self.bottom = bottom
        self.left = left
    }

    /// Creates margins with the same distance along all edges.
    public init(_ all: Int) { self.init(top: all, right: all, bottom: all, left: all) }
}

extension Margins: ContextValue {
    public var contextText: String {
        if top == bottom, left == right { return top == left ? "\(top)" : "\(top)+\(left)" }
        return "\(top)+\(right)+\(bottom)+\(left)"
    }

    public static var contextSyntax: String {
        "a number of pixels up to \(limit), two joined by + for top and sides, or four for top, right, bottom and left"
    }

    public init?(contextText: String) {
        let parts = contextText.split(separator: "+", omittingEmptySubsequences: false)
        let lengths = parts.compactMap { Int(contextText: String($0)) }.filter { (0...Self.limit).contains($0) }
        guard lengths.count == parts.count else { return nil }
        switch lengths.count {
        case 1: self.init(lengths[0])
        case 2: self.init(top: lengths[0], right: lengths[1], bottom: lengths[0], left: lengths[1])
        case 4: self.init(top: lengths[0], right: lengths[1], bottom: lengths[2], left: lengths[3])
        default: return nil
        }
    }
}
