/// Numbers as people read them.
enum Quantity {
    /// With one digit after the point.
    static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// For example `812 bytes` or `12.3 MB`; a kilobyte has 1000 bytes.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) bytes" }
        var value = Double(count) / 1000
        for unit in ["kB", "MB", "GB"] {
            // What would be rounded to 1000.0 belongs to the next unit.
            if value < 999.95 { return "\(tenths(value)) \(unit)" }
            value /= 1000
        }
        return "\(tenths(value)) TB"
    }

    /// A part of a whole, for example `12.5%`.
    static func percent(_ part: Double) -> String { "\(tenths(part * 100))%" }

    /// For example `45 s`, `90 min`, `3 h` or `12 d`: in the largest unit of which there are two, so that the part that
    /// is left out does not matter.
    static func age(_ seconds: Int) -> String {
        for (unit, length) in [("d", 86_400), ("h", 3600), ("min", 60)] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }

    /// A number with its noun, which has an `s` for more than one.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
