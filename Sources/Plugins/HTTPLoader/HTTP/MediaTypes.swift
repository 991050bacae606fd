#if HTTP
public import Calotype

/// A set of media types, described by patterns such as `image/*`.
///
/// ```swift
/// let types: MediaTypes = ["image/*", "application/octet-stream"]
/// ```
///
/// Each pattern consists of a type and a subtype, or of a type and `*` for all its subtypes. Patterns have no
/// parameters, and their case does not matter. The text form separates patterns by commas. An empty set of patterns
/// means all types, written as `*/*`.
public struct MediaTypes: Sendable, Hashable {
    /// The patterns: sorted, unique and in lower case; empty for all types.
    private let patterns: [String]

    /// All media types.
    public static let all = MediaTypes([])

    /// Creates the set of the types that match any of `patterns`. The set contains all types if `patterns` is empty or
    /// contains `*/*`. A pattern that is not a media type matches nothing.
    public init(_ patterns: [String]) {
        let patterns = Set(patterns.map { $0.lowercased() })
        self.patterns = patterns.contains("*/*") ? [] : patterns.sorted()
    }

    /// Returns whether the set contains a media type, which must be in lower case and without parameters.
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
