/// Words under which entries of a cache are removed together, whatever their source: of an album, a user, a campaign.
///
/// As with all of Swift's texts, words that differ only in how Unicode composes their letters are one word.
public struct CacheTags: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The words: any text but an empty one, which counts as none.
    public let names: Set<String>

    /// These words.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names.filter { !$0.isEmpty })
    }

    public init(arrayLiteral elements: String...) { self.init(elements) }
}

/// The text form is a list of words separated by commas. White space and control characters are no part of such a text:
/// in a word they are written as in a URL, each byte as `%` and two hexadecimal digits, and so are commas and `%`.
extension CacheTags: ContextValue {
    public var contextText: String { names.sorted().map(Self.escaped).joined(separator: ",") }

    public static var contextSyntax: String { "words, with commas between them and %20 for white space" }

    public init?(contextText: String) {
        var names: [String] = []
        // By scalars: a comma is one too where the word after it begins with an accent.
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

    /// The name that is written so; nil if something had to be escaped that is not, or an escape is none.
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
