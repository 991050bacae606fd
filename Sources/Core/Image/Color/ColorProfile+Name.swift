extension ColorProfile {
    /// The name of the color space: `sRGB`, or the name in an ICC profile; `unnamed` if the profile has no readable
    /// name.
    ///
    /// At most 128 characters, none of which is a control character. Safe for untrusted bytes. Source: ICC.1:2022,
    /// sections 7.3, 9.2.41 and 10.15; ICC.1:2001-04, section 6.5.17, for the text in profiles of version 2.
    public var name: String {
        guard case .icc(let data) = self else { return "sRGB" }
        let name = Self.description(in: data).flatMap(Self.text(of:)) ?? ""
        let shown: String = name.filter { character in
            !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return shown.isEmpty ? "unnamed" : String(shown.prefix(128))
    }

    private static let headerByteCount = 128
    private static let tagByteCount = 12
    /// The maximum number of tags that are read: more than any profile has.
    private static let maxTagCount = 256
    /// The maximum number of bytes of a text that are read.
    private static let maxTextByteCount = 1024

    /// Returns the body of the tag `desc`, as far as the profile contains it; nil if there is no such tag.
    private static func description(in profile: Data) -> Data? {
        guard let count = number(in: profile, at: headerByteCount) else { return nil }
        for index in 0..<min(count, maxTagCount) {
            let tag = headerByteCount + 4 + index * tagByteCount
            guard let start = number(in: profile, at: tag + 4), let length = number(in: profile, at: tag + 8) else {
                return nil
            }
            guard signature(in: profile, at: tag) == "desc" else { continue }
            return Data(profile.dropFirst(start).prefix(length))
        }
        return nil
    }

    /// Returns the text of a tag of type `mluc` or `desc`; nil for other types. A tag of type `mluc` can have a text in
    /// several languages: the first one is returned.
    private static func text(of body: Data) -> String? {
        switch signature(in: body, at: 0) {
        case "mluc":
            guard let length = number(in: body, at: 20), let start = number(in: body, at: 24) else { return nil }
            let bytes = Data(body.dropFirst(start).prefix(min(length, maxTextByteCount)))
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
                UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
            }
            return String(decoding: units, as: UTF16.self)
        case "desc":
            guard let length = number(in: body, at: 8) else { return nil }
            let bytes = body.dropFirst(12).prefix(min(length, maxTextByteCount))
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        default:
            return nil
        }
    }

    private static func signature(in data: Data, at offset: Int) -> String {
        String(decoding: data.dropFirst(offset).prefix(4), as: UTF8.self)
    }

    /// Returns the number in the four bytes at `offset`; nil if some are missing.
    private static func number(in data: Data, at offset: Int) -> Int? {
        let bytes = data.dropFirst(offset).prefix(4)
        guard bytes.count == 4 else { return nil }
        let number: Int = bytes.reduce(0) { $0 << 8 | Int($1) }
        return number
    }
}
