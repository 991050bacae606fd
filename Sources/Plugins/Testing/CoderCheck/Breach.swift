/// What a check throws where a coder breaks its contract.
package struct Breach: Error, CustomStringConvertible {
    /// What was expected, what happened, and what to do, in one sentence.
    package let description: String

    init(expected: String, but happened: String, advice: String) {
        description = "expected \(expected), but \(happened); \(advice)"
    }
}

/// Throws a breach unless a condition holds.
func expect(
    _ isKept: Bool, _ expected: @autoclosure () -> String, but happened: @autoclosure () -> String, advice: String
) throws(Breach) {
    guard !isKept else { return }
    throw Breach(expected: expected(), but: happened(), advice: advice)
}
