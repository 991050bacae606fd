extension Quantity {
    /// The bytes of a unit, in lower case and without its B.
    private static let sizes: [String: Double] = [
        "": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
        "ki": 0x1p10, "mi": 0x1p20, "gi": 0x1p30, "ti": 0x1p40,
    ]

    /// The seconds of a unit. In lower case alone: with `M` somebody may mean months, which are not alike.
    private static let times: [String: Double] = [
        "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800,
    ]

    /// The bytes in a text such as `200M`, `1.5 GB` or `64KiB`, or as `bytes(_:)` writes it; nil when it is none.
    static func byteCount(_ text: String) -> Int? {
        guard let (number, unit) = parts(of: text) else { return nil }
        var letters = unit.lowercased()
        if letters == "bytes" || letters == "byte" { letters = "b" }
        if letters.hasSuffix("b") { letters.removeLast() }
        guard let size = sizes[letters] else { return nil }
        // There are no parts of bytes: somebody has forgotten the unit.
        guard size > 1 || number == number.rounded() else { return nil }
        // Rounded: 0.29 has no exact form.
        let count = (number * size).rounded()
        return count < 0x1p63 ? Int(count) : nil
    }

    /// The time in a text such as `30s`, `90min`, `12h`, `7d` or `2 w`; nil when it is none.
    static func duration(_ text: String) -> Duration? {
        guard let (number, unit) = parts(of: text), let time = times[unit] else { return nil }
        let seconds = number * time
        return seconds < 1e12 ? Duration.seconds(seconds) : nil
    }

    /// The number that a text begins with, without sign and exponent, and what follows it; a space may be between them.
    private static func parts(of text: String) -> (number: Double, unit: String)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits) else { return nil }
        let rest = text[digits.endIndex...]
        return (number, String(rest.hasPrefix(" ") ? rest.dropFirst() : rest))
    }
}
