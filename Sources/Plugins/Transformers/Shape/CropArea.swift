public import Calotype

/// The part of a picture that a crop keeps.
public enum CropArea: Hashable, Sendable {
    /// A rectangle, in pixels from the top left. Parts outside the picture are ignored.
    case region(PixelRegion)
    /// A size in pixels, at most that of the picture.
    case size(PixelSize)
    /// The largest part of the given shape: a width and a height of which only the ratio counts.
    case aspectRatio(width: Int, height: Int)
}

extension CropArea: ContextValue {
    public var contextText: String {
        switch self {
        case .region(let region): "\(region.size)\(Self.signed(region.x))\(Self.signed(region.y))"
        case .size(let size): "\(size)"
        case .aspectRatio(let width, let height): "\(width):\(height)"
        }
    }

    public static var contextSyntax: String {
        "WIDTHxHEIGHT+X+Y, WIDTHxHEIGHT or a ratio such as 16:9, with sides of at least 1"
    }

    public init?(contextText: String) {
        let ratio = contextText.split(separator: ":", omittingEmptySubsequences: false)
        if ratio.count == 2 {
            guard let width = Int(ratio[0]), let height = Int(ratio[1]), width > 0, height > 0 else { return nil }
            self = .aspectRatio(width: width, height: height)
            return
        }
        let written = contextText.prefix { $0 != "+" && $0 != "-" }
        guard let size = PixelSize(contextText: String(written)), !size.isEmpty else { return nil }
        let rest = contextText[written.endIndex...]
        guard !rest.isEmpty else {
            self = .size(size)
            return
        }
        // The sign of the second number separates it from the first.
        guard let second = rest.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }), let x = Int(rest[..<second]),
            let y = Int(rest[second...])
        else { return nil }
        self = .region(PixelRegion(x: x, y: y, size: size))
    }

    private static func signed(_ number: Int) -> String { number < 0 ? "\(number)" : "+\(number)" }
}
