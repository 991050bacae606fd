/// A set of URL schemes, such as `https`. It is the value of ``ContextKey/allowedSchemes``.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard], context: [.allowedSchemes(["http", "https"])])
/// ```
///
/// The case of schemes does not matter. An empty set allows no URL.
public struct URLSchemes: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The schemes in lower case.
    public let names: Set<String>

    /// Creates a set of schemes. Names that are not valid schemes (RFC 3986, section 3.1) are ignored.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names.map { $0.lowercased() }.filter(Self.isScheme))
    }

    public init(arrayLiteral names: String...) { self.init(names) }

    /// Returns whether a URL has one of these schemes.
    public func contains(_ url: URL) -> Bool { url.scheme.map { names.contains($0.lowercased()) } ?? false }

    /// Returns whether a text in lower case is a valid scheme.
    private static func isScheme(_ name: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        return name.utf8.first.map(isLetter) == true
            && name.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }
}

extension URLSchemes: ContextValue {
    public var contextText: String { names.sorted().joined(separator: ",") }

    public static var contextSyntax: String { "schemes of URLs with commas between them, for example http,https" }

    public init?(contextText: String) {
        let names = contextText.isEmpty ? [] : contextText.split(separator: ",", omittingEmptySubsequences: false)
        self.init(names.map { String($0) })
        // `off` has the same meaning for every key.
        guard self.names.count == Set(names.map { $0.lowercased() }).count, contextText != "off" else { return nil }
    }
}
