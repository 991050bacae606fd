#if HEIF
/// A four-character code: the type of a box, an item or a property.
struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The four characters as a number. The first character has the highest bits.
    let code: UInt32

    init(code: UInt32) {
        self.code = code
    }

    /// Creates a code from a literal of four ASCII characters.
    init(stringLiteral name: String) {
        code = name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }

    /// The characters, with a period in place of each unprintable one.
    var description: String {
        String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}
#endif
