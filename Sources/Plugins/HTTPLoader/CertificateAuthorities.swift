#if HTTP
public import Calotype

/// The certificate authorities that are trusted to certify HTTPS servers, as the path of a PEM file.
///
/// ```swift
/// let authorities = CertificateAuthorities(path: "/etc/ssl/company.pem")
/// let request = ImageRequest(url, context: [.certificateAuthorities(authorities)])
/// ```
///
/// Two values are equal if they have the same path.
public struct CertificateAuthorities: Sendable, Hashable {
    /// The path as text. A colon is written as `%3A`, a percent sign as `%25`, and bytes outside printable ASCII are
    /// escaped, so that different paths have different texts.
    public let contextText: String

    /// Creates certificate authorities from the path of a PEM file.
    ///
    /// The file is read each time an HTTPS connection is opened. Open connections serve later requests with the same
    /// path, even if the file has changed. If the file is missing, a load that opens an HTTPS connection throws
    /// `untrustedConnection`.
    /// - Parameter path: The path of the file. A relative path is resolved at once, against the current working
    ///   directory. If the path is empty or contains a zero byte, no server is trusted.
    public init(path: String) { contextText = path.utf8.contains(0) ? "" : PathText.text(of: path) ?? "" }

    /// The absolute path of the file; empty if the path given to the initializer cannot be used.
    public var path: String { PathText.path(of: contextText[...]) ?? "" }
}

extension CertificateAuthorities: ContextValue {
    public static var contextSyntax: String {
        "the absolute path of a PEM file, with %3A for a colon and %25 for a percent sign in it"
    }

    public init?(contextText: String) {
        // The path must be absolute, because a word such as `off` has another meaning.
        guard contextText.utf8.first == UInt8(ascii: "/"), let path = PathText.path(of: contextText[...]),
            !path.utf8.contains(0)
        else { return nil }
        self.init(path: path)
    }
}
#endif
