/// Where an image cache breaks its contract.
public struct ImageCacheFinding: Sendable, Hashable {
    /// The part of the contract.
    public let check: ImageCacheCheck
    /// What was expected, what happened, and what to do, in one sentence.
    public let message: String
}

extension ImageCacheFinding: CustomStringConvertible {
    /// For example `removing: expected ..., but ...; ...`, or `memory storing: ...` where a tier does so by itself.
    public var description: String {
        switch check {
        case .memory(let check): "memory \(check.rawValue): \(message)"
        case .data(let check): "data \(check.rawValue): \(message)"
        default: "\(check): \(message)"
        }
    }
}
