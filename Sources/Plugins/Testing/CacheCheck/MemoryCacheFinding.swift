/// Where a memory cache breaks its contract.
public struct MemoryCacheFinding: Sendable, Hashable {
    /// The part of the contract.
    public let check: MemoryCacheCheck
    /// What was expected, what happened, and what to do, in one sentence.
    public let message: String
}

extension MemoryCacheFinding: CustomStringConvertible {
    /// For example `storing: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue): \(message)" }
}
