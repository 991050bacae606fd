/// An image that is wanted: from where, and how.
///
/// ```swift
/// let request = ImageRequest(url, context: [.thumbnailPixelSize(400, 400)])
/// ```
///
/// A value; copies are cheap. A request that is used again remembers what it meant to the manager, so keep it where the
/// same image is asked for often.
public struct ImageRequest: Sendable {
    private final class Storage: Sendable {
        let url: URL?
        let text: String
        let context: ImageContext
        /// The resolved by the manager that loaded the request last.
        let resolved = Lock<ResolvedRequest?>(nil)

        init(url: URL?, text: String, context: ImageContext) {
            self.url = url
            self.text = text
            self.context = context
        }
    }

    private let storage: Storage

    /// A request for the image at a URL.
    public init(_ url: URL, context: ImageContext = []) {
        storage = Storage(url: url, text: Self.shown(url, context), context: context)
    }

    /// A request for the image at a URL given as text. What is no URL becomes an error when it is loaded.
    ///
    /// Text without a scheme is no URL; say `ImageRequest(path:)` for files.
    public init(_ text: String, context: ImageContext = []) {
        let url = URL(requestText: text)
        storage = Storage(url: url, text: url.map { Self.shown($0, context) } ?? Self.shown(text), context: context)
    }

    /// A request for the image in a file; a path that is not absolute starts from the working directory.
    public init(path: String, context: ImageContext = []) {
        // A URL by mistake, such as one with a blank before it.
        let text = path.contains("://") ? Self.shown(path) : path
        storage = Storage(url: URL(filePath: path), text: text, context: context)
    }

    /// The URL of the image; nil if the text was no URL.
    public var url: URL? { storage.url }

    /// The context of the request.
    public var context: ImageContext { storage.context }

    /// Returns the same request with `context` over its own.
    public func with(_ context: ImageContext) -> ImageRequest {
        ImageRequest(storage: Storage(url: url, text: storage.text, context: self.context.merging(context)))
    }

    /// Returns the request with `context` over its own; the same request, with its remembered meaning, if it is empty.
    @inline(__always)
    func adding(_ context: ImageContext) -> ImageRequest { context.isEmpty ? self : with(context) }

    private init(storage: Storage) { self.storage = storage }

    private static func shown(_ url: URL, _ context: ImageContext) -> String {
        url.redacted(showing: context[.harmlessParameters] ?? [])
    }

    /// Returns the part that may be shown of a text that is no URL but may hold secrets as one does. Passwords may
    /// contain any character, so nothing before the last `@` is shown.
    private static func shown(_ text: String) -> String {
        let mark = text.utf8.lastIndex(of: UInt8(ascii: "@"))
        var rest = mark.map { String(text[text.utf8.index(after: $0)...]) } ?? text
        // The mark may stand in a query, of which the rest then is a part.
        if let mark, text.utf8[..<mark].contains(where: { "?#;".utf8.contains($0) }) { rest = "?\(rest)" }
        rest = Redaction.standard.text(of: rest)
        return rest.count <= 200 ? rest : "\(rest.prefix(200))..."
    }

    /// The URL without credentials, or the text that was none.
    var subject: String { storage.text }

    /// Returns the resolved by a manager in this state; nil if it is not known.
    func resolved(in stateID: UInt64) -> ResolvedRequest? {
        storage.resolved.withLock { $0?.stateID == stateID ? $0 : nil }
    }

    /// Remembers what the request means.
    func remember(_ resolved: ResolvedRequest) {
        storage.resolved.withLock { $0 = resolved }
    }
}

extension ImageRequest: CustomStringConvertible {
    /// The URL without credentials, or the text that was none.
    public var description: String { subject }
}

/// A value that can be loaded: a request, a URL, or the text of one.
public protocol ImageRequestConvertible: Sendable {
    /// The request that it stands for.
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
