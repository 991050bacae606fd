/// Where an eviction policy breaks its contract.
public struct EvictionPolicyFinding: Sendable, Hashable {
    /// What was expected, what happened, and what to do, in one sentence.
    public let message: String
}

extension EvictionPolicyFinding: CustomStringConvertible {
    public var description: String { message }
}
