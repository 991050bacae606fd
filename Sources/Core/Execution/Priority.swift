/// The priority of a piece of work, compared with other work of the same manager.
public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The lowest priority, for work that can wait until no other work is waiting.
    case veryLow = -2
    /// The priority of work whose result is not needed yet, such as prefetching.
    case low = -1
    /// The default priority.
    case normal = 0
    /// The priority of work that runs before normal work.
    case high = 1
    /// The priority of work that a person is waiting for.
    case veryHigh = 2

    public static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
}
