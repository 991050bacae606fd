/// Formats numbers for people.
enum Quantity {
    /// Returns a number with three digits, or as a whole number if it is at least 1000: `0.45`, `12.3`, `456`, `1234`.
    static func number(_ value: Double) -> String {
        let places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        let unit = [1, 10, 100][places]
        let parts = Int((value * Double(unit)).rounded())
        guard places > 0 else { return String(parts) }
        let fraction = String(parts % unit)
        return "\(parts / unit).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }

    /// Returns a ratio, with one decimal place below 10 and otherwise with two significant digits: `3.4x`, `27x`,
    /// `150,000x`.
    static func ratio(_ value: Double) -> String {
        guard value >= 9.95 else { return "\(number((value * 10).rounded() / 10).dropLast())x" }
        var unit = 1.0
        while value / unit >= 99.5 { unit *= 10 }
        return "\(grouped(Int((value / unit).rounded() * unit)))x"
    }

    /// Returns a number of bytes, for example `812 bytes` or `12.3 MB`; a kilobyte has 1000 bytes.
    static func bytes(_ count: Int) -> String {
        let size = Double(count)
        if count < 1000 { return "\(count) bytes" }
        return size < 999_500 ? "\(number(size / 1e3)) kB" : "\(number(size / 1e6)) MB"
    }

    /// Returns a number and a noun. The noun gets an `s` unless the number is 1.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns the median of values, which for an even number of values is the upper of the two in the middle. Returns
    /// nil if there are no values.
    static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }

    private static func grouped(_ value: Int) -> String {
        var digits = String(value)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }
}
