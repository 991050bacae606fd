/// A breach of an eviction policy's contract.
public struct EvictionPolicyFinding: Sendable, Hashable {
    /// A sentence that states what was expected, what happened instead, and how to correct the policy.
    public let message: String
}

extension EvictionPolicyFinding: CustomStringConvertible {
    public var description: String { message }
}
