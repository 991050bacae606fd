/// A breach of a transformer's contract.
public struct TransformerFinding: Sendable, Hashable {
    /// The failed check.
    public let check: TransformerCheck
    /// The picture that the transformer received, for example `translucent, rgba16`, or the other transformer.
    public let sample: String
    /// A sentence that states what was expected, what happened instead, and how to correct the transformer.
    public let message: String
}

extension TransformerFinding: CustomStringConvertible {
    /// A line of text, for example `formats, gray, rgba8: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue), \(sample): \(message)" }
}
