public import Calotype

/// The canvas that a picture is placed on.
public enum ExtendArea: Hashable, Sendable {
    /// The picture with margins.
    case margins(Margins)
    /// A size in pixels. A side that is shorter than the picture's becomes the picture's.
    case size(PixelSize)
    /// The smallest canvas of the given shape that contains the picture: a width and a height of which only the ratio
    /// counts.
    case aspectRatio(width: Int, height: Int)
}

extension ExtendArea: ContextValue {
    public var contextText: String {
        switch self {
        case .margins(let margins): margins.contextText
        case .size(let size): "\(size)"
        case .aspectRatio(let width, let height): "\(width):\(height)"
        }
    }

    public static var contextSyntax: String {
        "margins such as 20, 10+20 or 1+2+3+4, a size such as 800x600, or a ratio such as 16:9"
    }

    public init?(contextText: String) {
        if let margins = Margins(contextText: contextText) {
            self = .margins(margins)
            return
        }
        // A crop has the same texts for sizes and ratios.
        switch CropArea(contextText: contextText) {
        case .size(let size): self = .size(size)
        case .aspectRatio(let width, let height): self = .aspectRatio(width: width, height: height)
        case .region, nil: return nil
        }
    }
}
