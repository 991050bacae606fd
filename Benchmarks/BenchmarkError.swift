/// The reason why something cannot be measured.
struct BenchmarkError: Error, CustomStringConvertible {
    /// The failure, in half a sentence.
    let description: String

    init(_ description: String) { self.description = description }
}
