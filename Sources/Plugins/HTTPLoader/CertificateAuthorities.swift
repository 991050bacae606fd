#if HTTP
public import Calotype

/// The certificate authorities that servers must be certified by: a PEM file with their certificates.
///
/// ```swift
/// let authorities = CertificateAuthorities(path: "/etc/ssl/company.pem")
/// let request = ImageRequest(url, context: [.certificateAuthorities(authorities)])
/// ```
///
/// A value; two are equal when they name the same path.
public struct CertificateAuthorities: Sendable, Hashable {
    /// The path as text. In it a colon is `%3A`, a per cent sign `%25`, and bytes beyond ASCII are escaped, so that no
    /// two paths look alike.
    public let contextText: String

    /// The authorities in a file.
    ///
    /// The file is read for each connection that is opened. Connections that are open already serve later requests with
    /// the same path whatever the file says by then. If the file is missing, a load that opens a connection throws
    /// `untrustedConnection`.
    /// - Parameter path: The path of the file. A relative path starts from the working directory as it is now. With an
    ///   empty path, or one that contains a zero byte, nobody is trusted.
    public init(path: String) { contextText = path.utf8.contains(0) ? "" : PathText.text(of: path) ?? "" }

    /// The absolute path of the file; empty if the initializer got no usable path.
    public var path: String { PathText.path(of: contextText[...]) ?? "" }
}

extension CertificateAuthorities: ContextValue {
    public static var contextSyntax: String {
        "the path of a PEM file from the root, with %3A for a colon and %25 for a per cent sign in it"
    }

    public init?(contextText: String) {
        // From the root: a word such as `off` means something else.
        guard contextText.utf8.first == UInt8(ascii: "/"), let path = PathText.path(of: contextText[...]),
            !path.utf8.contains(0)
        else { return nil }
        self.init(path: path)
    }
}
#endif
