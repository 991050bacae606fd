import Calotype

/// A data URI, taken apart and found to be sound: `data:[<media type>][;base64],<data>`.
///
/// ```text
/// data:,A%20brief%20note
/// data:image/png;name=dot;base64,iVBORw0KGgoAAAANSUhEUgAA...
/// ```
///
/// The first comma begins the data, a `#` ends it (RFC 3986, section 3.5). Escapes are undone in both kinds of data,
/// also before Base64 is read. `;base64` counts as the last word before the comma alone, in any case, and with spaces
/// around; written with escapes it is a parameter like any other. Parameters are passed over: no coder needs them. A
/// media type that is left out, or is none, is `text/plain`.
///
/// Sources: RFC 2397; where it is silent, the "`data:` URL processor" of WHATWG's Fetch standard. One difference:
/// spaces around the media type may also be written as escapes, since Foundation's `URL` writes them so, and escapes in
/// the media type are undone, as RFC 2397 has it.
struct DataURI: Sendable {
    /// The media type without parameters, in lower case.
    let mediaType: String
    /// The number of bytes of data; at least one.
    let byteCount: Int
    private let text: String
    private let isBase64: Bool
    /// The range of the data in the text's UTF-8.
    private let range: Range<Int>

    /// Takes a text apart, and reads it to its end, in memory that does not depend on its length.
    ///
    /// Throws `badData` when it is no data URI, its Base64 cannot be read, or it holds nothing.
    init(_ text: String) throws {
        var text = text
        let (mediaType, isBase64, range) = try text.withUTF8 { bytes -> (String, Bool, Range<Int>) in
            let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
            guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")),
                let comma = bytes[(colon + 1)..<end].firstIndex(of: UInt8(ascii: ","))
            else {
                throw ImageError(
                    .badData, stage: .load, message: "has no comma, behind which its data would begin",
                    advice: "write data:TYPE;base64,DATA")
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
            throw ImageError(.badData, stage: .load, message: "is empty", advice: "put data behind the comma")
        }
        self.mediaType = mediaType
        self.text = text
        self.isBase64 = isBase64
        self.range = range
    }

    /// The bytes that it holds. Throws `outOfMemory`.
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

    /// Takes `;base64` from the end of what stands before the comma; false when it does not end so.
    private static func removeBase64Word(from type: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = type.withoutSpaceAtEnd
        guard String(decoding: rest.suffix(6), as: UTF8.self).lowercased() == "base64" else { return false }
        rest = rest.dropLast(6).withoutSpaceAtEnd
        guard rest.last == UInt8(ascii: ";") else { return false }
        type = rest.dropLast()
        return true
    }

    /// The media type of what stands before the comma, without its parameters.
    private static func mediaType(_ type: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let whole = type.prefix { $0 != UInt8(ascii: ";") }.withoutSpaceAtEnd
        // Longer names cannot be registered (RFC 6838, section 4.2), and need not be carried about.
        guard whole.count < 1000 else { return "text/plain" }
        let name = String(decoding: Array(PercentDecodedBytes(whole)), as: UTF8.self).drop(while: \.isWhitespace)
        let words = name.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy(isToken) else { return "text/plain" }
        return words.joined(separator: "/")
    }

    /// Whether a word can be one half of a media type (RFC 2045, section 5.1).
    private static func isToken(_ word: Substring) -> Bool {
        !word.isEmpty && word.count <= 127
            && word.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"()<>@,;:\\\"/[]?=".utf8.contains($0) }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Without spaces and line breaks at the end, be they written as such or as escapes.
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
