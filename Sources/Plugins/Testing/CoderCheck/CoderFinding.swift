/// A breach of a coder's contract.
public struct CoderFinding: Sendable, Hashable {
    /// The failed check.
    public let check: CoderCheck
    /// The name of the sample, or a description of other bytes that the coder received.
    public let sample: String
    /// A sentence that states what was expected, what happened instead, and how to correct the coder.
    public let message: String
}

extension CoderFinding: CustomStringConvertible {
    /// A line of text, for example `rows, small.png: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue), \(sample): \(message)" }
}
