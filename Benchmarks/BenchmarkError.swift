/// Why something cannot be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    /// What happened, in half a sentence.
    let description: String

    init(_ description: String) { self.description = description }
}
