/// The urgency of a piece of work, compared with other work of the same manager.
public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The priority of work for idle times.
    case veryLow = -2
    /// Before it is needed, as a prefetcher does.
    case low = -1
    /// The default.
    case normal = 0
    /// Before what is normal.
    case high = 1
    /// A person is waiting for it.
    case veryHigh = 2

    public static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
}
