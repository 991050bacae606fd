#if HEIF
/// The name of a kind of box, item or property: four characters.
struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The characters from the first, which has the highest bits, to the last.
    let code: UInt32

    init(code: UInt32) {
        self.code = code
    }

    /// - Parameter name: Four characters of ASCII.
    init(stringLiteral name: String) {
        code = name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) } }

    /// The characters, with a point in the place of each that cannot be shown.
    var description: String {
        String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}
#endif
