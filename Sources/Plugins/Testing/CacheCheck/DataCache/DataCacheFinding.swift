/// A breach of a data cache's contract.
public struct DataCacheFinding: Sendable, Hashable {
    /// The failed check.
    public let check: DataCacheCheck
    /// A sentence that states what was expected, what happened instead, and how to correct the cache.
    public let message: String
}

extension DataCacheFinding: CustomStringConvertible {
    /// A line of text, for example `keeping: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue): \(message)" }
}
