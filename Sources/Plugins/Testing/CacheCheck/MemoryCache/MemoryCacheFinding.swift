/// A breach of a memory cache's contract.
public struct MemoryCacheFinding: Sendable, Hashable {
    /// The failed check.
    public let check: MemoryCacheCheck
    /// A sentence that states what was expected, what happened instead, and how to correct the cache.
    public let message: String
}

extension MemoryCacheFinding: CustomStringConvertible {
    /// A line of text, for example `storing: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue): \(message)" }
}
