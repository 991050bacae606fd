/// A breach of an image cache's contract.
public struct ImageCacheFinding: Sendable, Hashable {
    /// The failed check.
    public let check: ImageCacheCheck
    /// A sentence that states what was expected, what happened instead, and how to correct the cache.
    public let message: String
}

extension ImageCacheFinding: CustomStringConvertible {
    /// A line of text such as `removing: expected ..., but ...; ...`. A line about a check of one tier begins with
    /// `memory` or `data`, as in `memory storing: ...`.
    public var description: String {
        switch check {
        case .memory(let check): "memory \(check.rawValue): \(message)"
        case .data(let check): "data \(check.rawValue): \(message)"
        default: "\(check): \(message)"
        }
    }
}
