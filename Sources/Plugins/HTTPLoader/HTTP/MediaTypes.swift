#if HTTP
public import Calotype

/// A set of media types, or all of them.
///
/// ```swift
/// let types: MediaTypes = ["image/*", "application/octet-stream"]
/// ```
///
/// Each is a type and a subtype, or a type and `*` for all its subtypes, without parameters; case does not count. As
/// text they stand behind one another with commas between. None means all, written `*/*`.
public struct MediaTypes: Sendable, Hashable {
    /// Sorted, each once, in lower case; empty for all.
    private let patterns: [String]

    /// All media types.
    public static let all = MediaTypes([])

    /// The types that match any of `patterns`; all when there are none, or `*/*` is one of them. What is no media type
    /// matches nothing.
    public init(_ patterns: [String]) {
        let patterns = Set(patterns.map { $0.lowercased() })
        self.patterns = patterns.contains("*/*") ? [] : patterns.sorted()
    }

    /// Whether a media type, in lower case and without parameters, is one of them.
    public func contains(_ type: String) -> Bool {
        patterns.isEmpty || patterns.contains { $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) }
    }
}

extension MediaTypes: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: String...) { self.init(elements) }
}

extension MediaTypes: ContextValue {
    public var contextText: String { patterns.isEmpty ? "*/*" : patterns.joined(separator: ",") }

    public static var contextSyntax: String { "media types such as image/*,application/octet-stream" }

    public init?(contextText: String) {
        let patterns = contextText.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let areTypes = patterns.allSatisfy { pattern in
            let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenCharacter) }
        }
        guard areTypes else { return nil }
        self.init(patterns)
    }
}
#endif
