import CalotypeStandard

/// Encodes JSON for programs: one object a line, with sorted keys.
enum JSON {
    /// Returns an object as a line. Throws for values that JSON does not support, such as infinity.
    static func line(_ object: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }

    /// Rounds milliseconds to a thousandth, below which differences are noise.
    static func milliseconds(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
