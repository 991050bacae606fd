import CalotypeStandard

/// Encodes the JSON output of the tool: one object per line, with sorted keys.
enum JSON {
    /// Returns the JSON object for a value, as one line. Throws if the value contains a number that JSON does not
    /// support, such as infinity.
    static func line(_ object: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }

    /// Returns a number of milliseconds, rounded to thousandths. Smaller differences have no meaning.
    static func milliseconds(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
