/// Where a data cache breaks its contract.
public struct DataCacheFinding: Sendable, Hashable {
    /// The part of the contract.
    public let check: DataCacheCheck
    /// What was expected, what happened, and what to do, in one sentence.
    public let message: String
}

extension DataCacheFinding: CustomStringConvertible {
    /// For example `keeping: expected ..., but ...; ...`.
    public var description: String { "\(check.rawValue): \(message)" }
}
