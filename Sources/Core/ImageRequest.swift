/// A request for an image: the URL of the image, and the context of the request.
///
/// ```swift
/// let request = ImageRequest(url, context: [.thumbnailPixelSize(400, 400)])
/// ```
///
/// Requests are values, and copies are cheap. A request and its copies remember how a manager has resolved them. Keep a
/// request that you use often, so that it is not resolved again.
public struct ImageRequest: Sendable {
    private final class Storage: Sendable {
        let url: URL?
        let text: String
        let context: ImageContext
        /// The result of resolving the request, as remembered by the last manager that resolved it; nil at first.
        let resolved = Lock<ResolvedRequest?>(nil)

        init(url: URL?, text: String, context: ImageContext) {
            self.url = url
            self.text = text
            self.context = context
        }
    }

    private let storage: Storage

    /// Creates a request for the image at a URL.
    public init(_ url: URL, context: ImageContext = []) {
        storage = Storage(url: url, text: Self.shown(url, context), context: context)
    }

    /// Creates a request for the image at a URL given as text. If the text is not a URL, loading the request throws
    /// `invalidURL`.
    ///
    /// Text without a scheme is not a URL. For files, use `ImageRequest(path:)`.
    public init(_ text: String, context: ImageContext = []) {
        let url = URL(requestText: text)
        storage = Storage(url: url, text: url.map { Self.shown($0, context) } ?? Self.shown(text), context: context)
    }

    /// Creates a request for the image in a file. A relative path starts from the working directory.
    public init(path: String, context: ImageContext = []) {
        // The path may be a URL by mistake, for example one with a space before it.
        let text = path.contains("://") ? Self.shown(path) : path
        storage = Storage(url: URL(filePath: path), text: text, context: context)
    }

    /// The URL of the image; nil if the request was created from a text that is not a URL.
    public var url: URL? { storage.url }

    /// The context of the request.
    public var context: ImageContext { storage.context }

    /// Returns a request for the same URL, in which the values of `context` win over the request's own.
    public func with(_ context: ImageContext) -> ImageRequest {
        ImageRequest(storage: Storage(url: url, text: storage.text, context: self.context.merging(context)))
    }

    /// Returns a request in which the values of `context` override the request's own. If `context` is empty, returns
    /// the request itself, because a new request would have to be resolved again.
    @inline(__always)
    func adding(_ context: ImageContext) -> ImageRequest { context.isEmpty ? self : with(context) }

    private init(storage: Storage) { self.storage = storage }

    private static func shown(_ url: URL, _ context: ImageContext) -> String {
        url.redacted(showing: context[.harmlessParameters] ?? [])
    }

    /// Removes possible passwords and tokens from a text that is not a valid URL. Nothing before the last `@` is kept,
    /// because passwords may contain any character.
    private static func shown(_ text: String) -> String {
        let mark = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        var rest = mark.map { String(text[text.utf8.index(after: $0)...]) } ?? text
        // If the `@` is in a query, the rest is part of that query.
        if let mark, text.utf8[..<mark].contains(where: { "?#;".utf8.contains($0) }) { rest = "?\(rest)" }
        rest = Redaction.standard.text(of: rest)
        return rest.count <= 200 ? rest : "\(rest.prefix(200))..."
    }

    /// The text that messages show for the request: the redacted URL or text, or the path of the file.
    var subject: String { storage.text }

    /// Returns the remembered resolved request if it belongs to the manager state `stateID`; otherwise nil.
    func resolved(in stateID: UInt64) -> ResolvedRequest? {
        storage.resolved.withLock { $0?.stateID == stateID ? $0 : nil }
    }

    /// Remembers the resolved request.
    func remember(_ resolved: ResolvedRequest) {
        storage.resolved.withLock { $0 = resolved }
    }
}

extension ImageRequest: CustomStringConvertible {
    /// The text that messages show for the request: the URL without credentials, or the path of the file. If the
    /// request was created from a text that is not a URL, this is the redacted text.
    public var description: String { subject }
}

/// A value that can be loaded: a request, a URL, or a URL as text.
public protocol ImageRequestConvertible: Sendable {
    /// The request for the image that this value identifies.
    var imageRequest: ImageRequest { get }
}

extension ImageRequest: ImageRequestConvertible {
    public var imageRequest: ImageRequest { self }
}

extension URL: ImageRequestConvertible {
    public var imageRequest: ImageRequest { ImageRequest(self) }
}

extension String: ImageRequestConvertible {
    public var imageRequest: ImageRequest { ImageRequest(self) }
}
