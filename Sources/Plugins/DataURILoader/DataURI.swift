import Calotype

/// A parsed and validated data URI: `data:[<media type>][;base64],<data>`.
///
/// The data begins after the first comma and ends before a `#` (RFC 3986, section 3.5). Percent escapes in the data are
/// decoded before Base64. The word `base64` has an effect only at the end of the text before the comma, and only if it
/// is written without escapes. A missing or invalid media type means `text/plain`.
///
/// Sources: RFC 2397 and, where it is silent, the "`data:` URL processor" of WHATWG's Fetch standard. Unlike that
/// standard, this parser allows escaped spaces around the media type, because Foundation's `URL` writes them so. It
/// also decodes escapes in the media type, as RFC 2397 requires.
struct DataURI: Sendable {
    /// The media type without parameters, in lower case.
    let mediaType: String
    /// The number of bytes of the decoded data, at least 1.
    let byteCount: Int
    private let text: String
    private let isBase64: Bool
    /// The range of the data in the UTF-8 text.
    private let range: Range<Int>

    /// Parses a URI and validates its data, without allocating memory for the data. The scheme is not checked.
    ///
    /// Throws `badData` if the comma is missing, the Base64 is invalid, or the data is empty.
    init(_ text: String) throws {
        var text = text
        let (mediaType, isBase64, range) = try text.withUTF8 { bytes -> (String, Bool, Range<Int>) in
            let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
            guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")),
                let comma = bytes[(colon + 1)..<end].firstIndex(of: UInt8(ascii: ","))
            else {
                throw ImageError(
                    .badData, stage: .load, message: "has no comma before its data",
                    advice: "use the form data:TYPE;base64,DATA")
            }
            var type = bytes[(colon + 1)..<comma]
            let isBase64 = Self.removeBase64Word(from: &type)
            return (Self.mediaType(type), isBase64, (comma + 1)..<end)
        }
        byteCount = try text.withUTF8 { bytes -> Int in
            let data = PercentDecodedBytes(bytes[range])
            return try isBase64 ? ForgivingBase64.byteCount(of: data) : data.reduce(0) { count, _ in count + 1 }
        }
        guard byteCount > 0 else {
            throw ImageError(.badData, stage: .load, message: "is empty", advice: "add data after the comma")
        }
        self.mediaType = mediaType
        self.text = text
        self.isBase64 = isBase64
        self.range = range
    }

    /// Returns the decoded data. Throws `outOfMemory` if memory for the data cannot be allocated.
    func decoded() throws -> Data {
        var text = text
        return try text.withUTF8 { bytes in
            let encoded = PercentDecodedBytes(bytes[range])
            return try Data(count: byteCount, at: .load) { room in
                if isBase64 {
                    ForgivingBase64.decode(encoded, into: room)
                } else {
                    for (index, byte) in encoded.enumerated() { room[index] = byte }
                }
                return byteCount
            }
        }
    }

    /// Removes `;base64` from the end of the text before the comma. Returns whether the text ended with it.
    private static func removeBase64Word(from type: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = type.withoutSpaceAtEnd
        guard String(decoding: rest.suffix(6), as: UTF8.self).lowercased() == "base64" else { return false }
        rest = rest.dropLast(6).withoutSpaceAtEnd
        guard rest.last == UInt8(ascii: ";") else { return false }
        type = rest.dropLast()
        return true
    }

    /// Returns the media type of the text before the comma, without parameters.
    private static func mediaType(_ type: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let whole = type.prefix { $0 != UInt8(ascii: ";") }.withoutSpaceAtEnd
        // Longer names cannot be registered (RFC 6838, section 4.2).
        guard whole.count < 1000 else { return "text/plain" }
        let name = String(decoding: Array(PercentDecodedBytes(whole)), as: UTF8.self).drop(while: \.isWhitespace)
        let words = name.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy(isToken) else { return "text/plain" }
        return words.joined(separator: "/")
    }

    /// Returns whether a word is a valid type or subtype of a media type (RFC 2045, section 5.1; RFC 6838, section
    /// 4.2).
    private static func isToken(_ word: Substring) -> Bool {
        !word.isEmpty && word.count <= 127
            && word.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"()<>@,;:\\\"/[]?=".utf8.contains($0) }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The text without the white space at its end, whether the white space is percent-escaped or not.
    fileprivate var withoutSpaceAtEnd: Self {
        var rest = self
        while let last = rest.last {
            var lastThree = PercentDecodedBytes(rest.suffix(3))
            if Self.isSpace(last) {
                rest = rest.dropLast()
            } else if let byte = lastThree.next(), Self.isSpace(byte), lastThree.next() == nil {
                rest = rest.dropLast(3)
            } else {
                break
            }
        }
        return rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool { "\t\n\u{C}\r ".utf8.contains(byte) }
}
