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

    /// A number with its noun, which has an `s` for more than one.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
