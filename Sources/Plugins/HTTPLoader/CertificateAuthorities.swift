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

    /// The authorities in a file, which is read when a connection is opened. A missing file makes that load fail.
    /// - Parameter path: The path of the file. One that is not absolute starts from the working directory as it is now.
    public init(path: String) { contextText = PathText.text(of: path) ?? "" }

    /// The absolute path of the file; empty where there was none.
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
