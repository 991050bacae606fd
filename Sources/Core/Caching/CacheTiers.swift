/// A set of tiers of a cache.
public struct CacheTiers: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The tier of decoded images in memory.
    public static let memory = CacheTiers(rawValue: 1 << 0)
    /// The tier of bytes, on disk or in another store.
    public static let disk = CacheTiers(rawValue: 1 << 1)
    /// All tiers.
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
