/// Tiers of a cache.
public struct CacheTiers: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Decoded images in memory.
    public static let memory = CacheTiers(rawValue: 1 << 0)
    /// Bytes on disk, or in another store of bytes.
    public static let disk = CacheTiers(rawValue: 1 << 1)
    /// Every tier.
    public static let all: CacheTiers = [.memory, .disk]
}

extension CacheTiers: ContextValue {
    public var contextText: String {
        switch self {
        case .all: "all"
        case .memory: "memory"
        case .disk: "disk"
        default: "none"
        }
    }
    public static var contextSyntax: String { "all, memory, disk or none" }
    public init?(contextText: String) {
        switch contextText {
        case "all": self = .all
        case "memory": self = .memory
        case "disk": self = .disk
        case "none": self = []
        default: return nil
        }
    }
}
