/// How often somebody changed, through the manager, what caches have of a source: who asks after that shares no work
/// with those who asked before, and what those have read is not kept any more.
///
/// Counts groups of sources, and so takes the same memory however many there are: one whose group somebody else changes
/// has some of its work done twice. Thread-safe.
final class CacheChanges: Sendable {
    private struct Count {
        var ended = 0
        var underWay = 0
    }

    private static let groupCount = 256
    private let counts = Lock([Count](repeating: Count(), count: groupCount))

    /// How many changes have ended.
    func count(of source: SourceKey) -> Int {
        let group = Self.group(of: source)
        return counts.withLock { $0[group].ended }
    }

    /// Whether a change is under way, or has ended since there were `count`.
    func haveTouched(_ source: SourceKey, since count: Int) -> Bool {
        let group = Self.group(of: source)
        return counts.withLock { $0[group].underWay > 0 || $0[group].ended != count }
    }

    /// Says that a change begins, of a source or, with nil, of all. It is to be ended.
    func begin(_ source: SourceKey?) {
        update(source) { $0.underWay += 1 }
    }

    /// Says that it has ended.
    func end(_ source: SourceKey?) {
        update(source) { count in
            count.underWay -= 1
            count.ended += 1
        }
    }

    private func update(_ source: SourceKey?, _ body: (inout Count) -> Void) {
        let group = source.map { Self.group(of: $0) }
        counts.withLock { counts in
            for index in group.map({ $0...$0 }) ?? 0...Self.groupCount - 1 { body(&counts[index]) }
        }
    }

    private static func group(of source: SourceKey) -> Int { source.hashValue & (groupCount - 1) }
}
