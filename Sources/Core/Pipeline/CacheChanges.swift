/// How often what caches have of a source was changed, by hand or by what took its place: who asks after that shares no
/// work with those who asked before, and what those have read is not kept any more. What they have loaded is, unless
/// something took the place of what there was.
///
/// Counts groups of sources, and so takes the same memory however many there are: one whose group somebody else changes
/// has some of its work done twice. Of replacements the last are known by their source: of those before it is assumed
/// that they were of each. Thread-safe.
final class CacheChanges: Sendable {
    private struct Count {
        var ended = 0
        var underWay = 0
    }

    private struct Replacements {
        /// How many there were.
        var count = 0
        /// The number of the last one of each source, from 1 on.
        var last: [SourceKey: Int] = [:]
        /// The number of the last one of which nobody knows any more whose it was.
        var forgotten = 0

        func last(of source: SourceKey) -> Int { last[source] ?? forgotten }
    }

    private static let groupCount = 256
    /// Of so many it is known at once whose they were.
    static let knownReplacements = 1024
    private let counts = Lock([Count](repeating: Count(), count: groupCount))
    private let replacements = Lock(Replacements())

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

    /// How many replacements there were, of all sources.
    var replacementCount: Int { replacements.withLock { $0.count } }

    /// Whether anything was replaced of a source since there were `count` replacements.
    func haveReplaced(_ source: SourceKey, since count: Int) -> Bool {
        replacements.withLock { $0.last(of: source) > count }
    }

    /// Says that what was loaded when there were `count` replacements begins to take the place of what caches have of a
    /// source: a change, which is to be ended. Unless told otherwise it takes the place of whatever there was.
    /// - Returns: The number of the replacement; nil, and nothing begins, where another one came before it.
    @discardableResult
    func beginReplacing(_ source: SourceKey, since count: Int = .max) -> Int? {
        let number = replacements.withLock { replacements -> Int? in
            guard replacements.last(of: source) <= count else { return nil }
            if replacements.last.count >= Self.knownReplacements {
                replacements.last = [:]
                replacements.forgotten = replacements.count
            }
            replacements.count += 1
            replacements.last[source] = replacements.count
            return replacements.count
        }
        if number != nil { begin(source) }
        return number
    }

    private func update(_ source: SourceKey?, _ body: (inout Count) -> Void) {
        let group = source.map { Self.group(of: $0) }
        counts.withLock { counts in
            for index in group.map({ $0...$0 }) ?? 0...Self.groupCount - 1 { body(&counts[index]) }
        }
    }

    private static func group(of source: SourceKey) -> Int { source.hashValue & (groupCount - 1) }
}
