#if COLOR
/// A four-byte name in an ICC profile. Source: ICC.1:2022, section 4.1.
struct ProfileSignature: RawRepresentable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let rawValue: UInt32

    static let gray: ProfileSignature = "GRAY"
    static let rgb: ProfileSignature = "RGB "
    static let cmyk: ProfileSignature = "CMYK"
    /// The type that programs of Corbis wrote instead of `XYZ `. Little CMS accepts it too.
    static let corbisColor = ProfileSignature(rawValue: 0x17A5_05B8)
    /// The type that programs of Monaco wrote instead of `curv`. Little CMS accepts it too.
    static let monacoCurve = ProfileSignature(rawValue: 0x9478_EE00)

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates the signature of four ASCII characters.
    init(stringLiteral name: StaticString) {
        rawValue = name.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The printable characters of the name; "unknown" if a damaged profile has none.
    var description: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
        let name = String(decoding: bytes.filter { (33...126).contains($0) }, as: UTF8.self)
        return name.isEmpty ? "unknown" : name
    }
}
#endif
