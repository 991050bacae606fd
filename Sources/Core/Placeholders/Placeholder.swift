/// Something to show for an image until it is there.
///
/// ```swift
/// let request = ImageRequest(url, context: [.placeholders([.thumbHash(hash), .url(thumbnailURL), .cachedSize])])
/// ```
///
/// It comes as ``ImageEvent/preview(_:_:)``. Those of a chain are named from the worst to the best: a later one is
/// shown over an earlier one, and never the other way round. One that fails is left out, and told to the event
/// listener.
public struct Placeholder: Sendable {
    /// The kinds of images that stand for the requested one.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable {
        /// Another size of the same picture.
        case cachedSize
        /// The picture of another URL.
        case url
        /// A blur, drawn of a BlurHash.
        case blurHash
        /// A blur, drawn of a ThumbHash.
        case thumbHash
        /// An image that was there before.
        case image
    }

    enum Content: Sendable {
        case cachedSize
        case url(URL)
        case blurHash(String, shape: PixelSize?)
        case thumbHash(Data)
        case thumbHashText(String)
        case image(Image)
    }

    let content: Content

    /// The kind of the image.
    public var kind: Kind {
        switch content {
        case .cachedSize: .cachedSize
        case .url: .url
        case .blurHash: .blurHash
        case .thumbHash, .thumbHashText: .thumbHash
        case .image: .image
        }
    }

    /// Another size of the same picture, where the request's cache has one in memory now: one for which everything was
    /// said that changes pixels but the size and how it is made. The smallest that is large enough, else the largest.
    /// Memory alone is looked in: one on disk would have to be read and decoded first, as the image itself has to be.
    public static let cachedSize = Placeholder(content: .cachedSize)

    /// The picture of another URL, which should be quicker to load.
    ///
    /// Loaded as the image itself is, as urgently and with all that the request says; not waited for, and cancelled
    /// when the image or something better is there.
    public static func url(_ url: URL) -> Placeholder { Placeholder(content: .url(url)) }

    /// A blur, drawn of a BlurHash; its longer side has 32 pixels.
    /// - Parameters:
    ///   - text: The hash.
    ///   - shape: Any size of the shape that the picture has, which the hash does not say; nil, the default, for that
    ///     of as many columns and rows as the hash has components.
    public static func blurHash(_ text: String, shape: PixelSize? = nil) -> Placeholder {
        Placeholder(content: .blurHash(text, shape: shape))
    }

    /// A blur, drawn of a ThumbHash; its longer side has 32 pixels.
    public static func thumbHash(_ data: Data) -> Placeholder { Placeholder(content: .thumbHash(data)) }

    /// A blur, drawn of a ThumbHash in base64; its longer side has 32 pixels.
    public static func thumbHash(_ text: String) -> Placeholder { Placeholder(content: .thumbHashText(text)) }

    /// An image that is there already, as it is.
    public static func image(_ image: Image) -> Placeholder { Placeholder(content: .image(image)) }
}

extension Placeholder: CustomStringConvertible {
    /// Its kind, with the URL without credentials, or the size.
    public var description: String {
        switch content {
        case .url(let url): "url(\(url.redacted))"
        case .image(let image): "image(\(image.size))"
        default: kind.rawValue
        }
    }
}
