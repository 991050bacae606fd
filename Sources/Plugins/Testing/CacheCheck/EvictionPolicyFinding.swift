/// A breach of an eviction policy's contract.
public struct EvictionPolicyFinding: Sendable, Hashable {
    /// The expectation, the outcome, and the advice, in one sentence.
    public let message: String
}

extension EvictionPolicyFinding: CustomStringConvertible {
    public var description: String { message }
}
