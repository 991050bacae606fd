extension Quantity {
    /// The number of bytes in each unit. The names of units are in lower case, without their B.
    private static let sizes: [String: Double] = [
        "": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
        "ki": 0x1p10, "mi": 0x1p20, "gi": 0x1p30, "ti": 0x1p40,
    ]

    /// The number of seconds in each unit. Only lower case is accepted, because `M` could mean months, whose lengths
    /// vary.
    private static let times: [String: Double] = [
        "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800,
    ]

    /// Returns the number of bytes that a text such as `200M`, `1.5 GB` or `64KiB` describes. Also accepts the results
    /// of `bytes(_:)`. Returns nil if the text is invalid.
    static func byteCount(_ text: String) -> Int? {
        guard let (number, unit) = parts(of: text) else { return nil }
        var letters = unit.lowercased()
        if letters == "bytes" || letters == "byte" { letters = "b" }
        if letters.hasSuffix("b") { letters.removeLast() }
        guard let size = sizes[letters] else { return nil }
        // A fraction of a byte indicates a forgotten unit.
        guard size > 1 || number == number.rounded() else { return nil }
        // Rounded, since decimals such as 0.29 have no exact binary form.
        let count = (number * size).rounded()
        return count < 0x1p63 ? Int(count) : nil
    }

    /// Returns the duration that a text such as `30s`, `90min`, `12h`, `7d` or `2 w` describes. Returns nil if the text
    /// is invalid.
    static func duration(_ text: String) -> Duration? {
        guard let (number, unit) = parts(of: text), let time = times[unit] else { return nil }
        let seconds = number * time
        return seconds < 1e12 ? Duration.seconds(seconds) : nil
    }

    /// Splits a text into its leading number and its unit, which may be separated by a space. Returns nil if the text
    /// does not begin with a number. The number must not have a sign or an exponent.
    private static func parts(of text: String) -> (number: Double, unit: String)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(digits) else { return nil }
        let rest = text[digits.endIndex...]
        return (number, String(rest.hasPrefix(" ") ? rest.dropFirst() : rest))
    }
}
