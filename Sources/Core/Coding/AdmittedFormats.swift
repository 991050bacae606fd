/// A set of names of formats, such as `heic`. A coder that does not accept untrusted bytes may decode only if the set
/// contains one of its formats. Used as the value of ``ContextKey/admittedFormats``.
public struct AdmittedFormats: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The names of the formats, in lower case.
    public let names: Set<String>

    /// Creates a value from the names of formats, in any case.
    public init(_ names: some Sequence<String>) { self.names = Set(names.map { $0.lowercased() }) }

    public init(arrayLiteral names: String...) { self.init(names) }

    /// Returns whether at least one of a coder's formats is admitted.
    func contain(formatsOf coder: any ImageCoder) -> Bool {
        coder.formats.contains { names.contains($0.name) }
    }
}

extension AdmittedFormats: ContextValue {
    public var contextText: String { names.sorted().joined(separator: ",") }

    public static var contextSyntax: String { "names of formats with commas between them, for example heic,avif" }

    public init?(contextText: String) {
        let names = contextText.isEmpty ? [] : contextText.split(separator: ",", omittingEmptySubsequences: false)
        // The text `off` is reserved: it resets any key.
        guard names.allSatisfy(Self.isName), contextText != "off" else { return nil }
        self.init(names.map { String($0) })
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
