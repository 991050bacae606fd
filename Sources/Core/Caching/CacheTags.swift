/// Words by which cache entries of many sources can be removed together, for example the names of an album, a user or a
/// campaign.
///
/// Words are compared like all strings in Swift: canonically equivalent Unicode texts are the same word.
public struct CacheTags: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The words. Empty words are left out.
    public let names: Set<String>

    /// Creates tags from words.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names.filter { !$0.isEmpty })
    }

    public init(arrayLiteral elements: String...) { self.init(elements) }
}

/// The text form is a list of words separated by commas. White space, control characters, commas and `%` are escaped as
/// in a URL: each byte is written as `%` and two hexadecimal digits.
extension CacheTags: ContextValue {
    public var contextText: String { names.sorted().map(Self.escaped).joined(separator: ",") }

    public static var contextSyntax: String { "words, with commas between them and %20 for white space" }

    public init?(contextText: String) {
        var names: [String] = []
        // Split by scalars: a comma followed by a combining accent is a single character, but still a separator.
        for word in contextText.unicodeScalars.split(whereSeparator: { $0 == "," }) {
            guard let name = Self.unescaped(Substring(word)) else { return nil }
            names.append(name)
        }
        self.init(names)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }

    private static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            if isPlain(scalar), scalar != ",", scalar != "%" {
                text.unicodeScalars.append(scalar)
            } else {
                for byte in Array(String(scalar).utf8) {
                    text += byte < 16 ? "%0" : "%"
                    text += String(byte, radix: 16, uppercase: true)
                }
            }
        }
        return text
    }

    /// Decodes the escapes in a word. Returns nil if the word is not well formed.
    private static func unescaped(_ word: Substring) -> String? {
        guard word.unicodeScalars.allSatisfy(isPlain) else { return nil }
        var bytes: [UInt8] = []
        var rest = word.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Array(rest.prefix(2)).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            rest.removeFirst(2)
            bytes.append(UInt8(digits[0] * 16 + digits[1]))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
