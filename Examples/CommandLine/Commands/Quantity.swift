/// Formats numbers for people.
enum Quantity {
    /// Returns a number with one decimal digit.
    static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// Returns a number of bytes, for example `812 bytes` or `12.3 MB`; a kilobyte has 1000 bytes.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) bytes" }
        var value = Double(count) / 1000
        for unit in ["kB", "MB", "GB"] {
            // A value that would be rounded to 1000.0 belongs to the next unit.
            if value < 999.95 { return "\(tenths(value)) \(unit)" }
            value /= 1000
        }
        return "\(tenths(value)) TB"
    }

    /// Returns a fraction as a percentage: `12.5%` for 0.125.
    static func percent(_ part: Double) -> String { "\(tenths(part * 100))%" }

    /// Returns an age in seconds as a text, for example `45 s`, `90 min`, `3 h` or `12 d`.
    ///
    /// The unit is the largest of which the age has at least two. The remainder is dropped.
    static func age(_ seconds: Int) -> String {
        for (unit, length) in [("d", 86_400), ("h", 3600), ("min", 60)] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }

    /// Returns a number and a noun. The noun gets an `s` unless the number is 1.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
