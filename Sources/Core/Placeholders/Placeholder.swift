/// An image to show until the requested one is available.
///
/// ```swift
/// let request = ImageRequest(url, context: [.placeholders([.thumbHash(hash), .url(thumbnailURL), .cachedSize])])
/// ```
///
/// A placeholder arrives as ``ImageEvent/preview(_:_:)``. List the placeholders of a request from the worst to the
/// best: a placeholder replaces those before it in the list, but never those after it. A placeholder that fails is left
/// out, and its error is reported to the event listener.
public struct Placeholder: Sendable {
    /// The kind of image that is shown until the requested one is available.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable {
        /// Another size of the same picture.
        case cachedSize
        /// The image at another URL.
        case url
        /// A blur, drawn from a BlurHash.
        case blurHash
        /// A blur, drawn from a ThumbHash.
        case thumbHash
        /// An image that the program already has.
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

    /// Another size of the same picture, if the request's cache has one in memory.
    ///
    /// The other image must agree with the request in everything that changes pixels, except for the size and the
    /// resampling. If memory has several such images, the smallest that is large enough is shown, or else the largest.
    /// Only memory is searched: an image on disk would first have to be read and decoded, just like the requested
    /// image.
    public static let cachedSize = Placeholder(content: .cachedSize)

    /// The image at another URL, which should be quicker to load.
    ///
    /// The placeholder is loaded with the priority and the options of the request. The options for placeholders,
    /// alternatives, previews, refreshing and waiting for stores do not apply. The request does not wait for the
    /// placeholder, and cancels its load once the image itself or a better placeholder is available.
    public static func url(_ url: URL) -> Placeholder { Placeholder(content: .url(url)) }

    /// A blur, drawn from a BlurHash. Its longer side has 32 pixels.
    /// - Parameters:
    ///   - text: The hash.
    ///   - shape: Any size with the picture's aspect ratio, which the hash does not contain. Default: nil, for the
    ///     aspect ratio of the hash's grid of components, such as 4:3.
    public static func blurHash(_ text: String, shape: PixelSize? = nil) -> Placeholder {
        Placeholder(content: .blurHash(text, shape: shape))
    }

    /// A blur, drawn from a ThumbHash. Its longer side has 32 pixels.
    public static func thumbHash(_ data: Data) -> Placeholder { Placeholder(content: .thumbHash(data)) }

    /// A blur, drawn from a ThumbHash in base64. Its longer side has 32 pixels.
    public static func thumbHash(_ text: String) -> Placeholder { Placeholder(content: .thumbHashText(text)) }

    /// An image that the program already has. It is shown unchanged.
    public static func image(_ image: Image) -> Placeholder { Placeholder(content: .image(image)) }
}

extension Placeholder: CustomStringConvertible {
    /// The kind of the placeholder. For a URL, the URL without credentials follows in parentheses; for an image, its
    /// size.
    public var description: String {
        switch content {
        case .url(let url): "url(\(url.redacted))"
        case .image(let image): "image(\(image.size))"
        default: kind.rawValue
        }
    }
}
