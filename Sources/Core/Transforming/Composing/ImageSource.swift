/// The URL of an image that a transformer needs, as a parameter of its recipe.
public struct ImageSource: Hashable, Sendable {
    /// The URL.
    public var url: URL

    /// Creates a source.
    public init(_ url: URL) { self.url = url }
}

extension ImageSource: ContextValue {
    /// The absolute text of the URL, with its credentials.
    public var contextText: String { url.absoluteString }

    public static var contextSyntax: String { "a URL with a scheme, such as https://host/logo.png" }

    public init?(contextText: String) {
        guard let url = URL(requestText: contextText) else { return nil }
        self.url = url
    }
}
