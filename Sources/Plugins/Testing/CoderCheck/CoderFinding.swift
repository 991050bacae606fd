/// Where a coder breaks its contract.
public struct CoderFinding: Sendable, Hashable {
    /// The part of the contract.
    public let check: CoderCheck
    /// The name of the sample, or of what else the coder was given.
    public let sample: String
    /// What was expected, what happened, and what to do, in one sentence.
    public let message: String
}

extension CoderFinding: CustomStringConvertible {
    /// For example `rows, small.png: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue), \(sample): \(message)" }
}
