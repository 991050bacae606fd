import CalotypeStandard

/// The distance between two pictures.
enum PixelDifference {
    /// Returns the mean difference of red, green and blue in RGBA at 8 bits without padding.
    static func mean(_ one: Data, _ other: Data) throws(BenchmarkError) -> Double {
        guard one.count == other.count, !one.isEmpty else {
            throw BenchmarkError("one picture has \(one.count) bytes, the other \(other.count)")
        }
        let (one, other) = (Array(one), Array(other))
        var sum = 0
        for index in one.indices where index % 4 != 3 {
            sum += abs(Int(one[index]) - Int(other[index]))
        }
        return Double(sum) / Double(one.count / 4 * 3)
    }
}
