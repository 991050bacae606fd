import CalotypeStandard

/// JSON for programs: one object a line, its keys sorted.
enum JSON {
    /// The line of an object. Throws for what JSON cannot hold, such as an infinite number.
    static func line(_ object: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }

    /// Milliseconds to a thousandth, below which everything is noise.
    static func milliseconds(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
