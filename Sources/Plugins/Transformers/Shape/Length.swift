public import Calotype

/// A length in pixels, or in per cent of the shorter side of the picture.
public enum Length: Hashable, Sendable {
    /// A number of pixels.
    case pixels(Double)
    /// A part of the shorter side, in per cent.
    case percent(Double)

    /// Returns the length in pixels, at least 0, for a picture of a size. The length is 0 if it is not a number.
    func pixels(in size: PixelSize) -> Double {
        let length =
            switch self {
            case .pixels(let count): count
            case .percent(let part): part / 100 * Double(min(size.width, size.height))
            }
        return length > 0 ? length : 0
    }
}

extension Length: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a length in pixels.
    public init(integerLiteral count: Int) { self = .pixels(Double(count)) }
    /// Creates a length in pixels.
    public init(floatLiteral count: Double) { self = .pixels(count) }
}

extension Length: ContextValue {
    public var contextText: String {
        switch self {
        case .pixels(let count): count.contextText
        case .percent(let part): "\(part.contextText)%"
        }
    }

    public static var contextSyntax: String { "a number of pixels, at least 0, or per cent such as 50%" }

    public init?(contextText: String) {
        let isPercent = contextText.hasSuffix("%")
        let digits = isPercent ? String(contextText.dropLast()) : contextText
        guard let number = Double(contextText: digits), number >= 0 else { return nil }
        self = isPercent ? .percent(number) : .pixels(number)
    }
}
