/// A breach of a data cache's contract.
public struct DataCacheFinding: Sendable, Hashable {
    /// The failed check.
    public let check: DataCacheCheck
    /// The expectation, the outcome, and the advice, in one sentence.
    public let message: String
}

extension DataCacheFinding: CustomStringConvertible {
    /// A line of text, for example `keeping: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue): \(message)" }
}
