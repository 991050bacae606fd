/// The error that a check throws if a coder, a cache or an eviction policy breaks its contract.
package struct Breach: Error, CustomStringConvertible {
    /// A sentence that states what was expected, what happened instead, and what to change.
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
