/// A breach of a memory cache's contract.
public struct MemoryCacheFinding: Sendable, Hashable {
    /// The failed check.
    public let check: MemoryCacheCheck
    /// The expectation, the outcome, and the advice, in one sentence.
    public let message: String
}

extension MemoryCacheFinding: CustomStringConvertible {
    /// A line of text, for example `storing: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue): \(message)" }
}
