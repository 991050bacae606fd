/// A counter of the changes to cached data, by which requests in progress know whether their data is outdated. A change
/// is a store or a removal by client code, or a replacement by a load. Thread-safe.
///
/// Data that a request has read from a cache is not stored again after a change. Loaded data is stored unless the
/// original was replaced after the load began.
///
/// Changes are counted for groups of sources, so the memory is constant. Replacements are recorded separately for each
/// original, because new data for one user says nothing about the data of another.
final class CacheChanges: Sendable {
    private struct Count {
        var ended = 0
        var underWay = 0
    }

    /// The state of an original that is being loaded.
    private struct Source {
        var loadCount = 0
        /// The number of the last replacement since the first of the current loads began; 0 if there was none.
        var lastReplacement = 0
    }

    private struct Removal {
        /// The number of the replacement that the removal belongs to.
        let number: Int
        let task: Task<Void, Never>
    }

    private struct Replacements {
        /// The number of replacements so far.
        var count = 0
        var sources: [VariantKey: Source] = [:]
        /// The last removal of the cached entries of each original. It waits for earlier removals.
        var removals: [VariantKey: Removal] = [:]

        func last(of original: VariantKey) -> Int { sources[original]?.lastReplacement ?? 0 }

        /// Counts a replacement and returns its number. The number is recorded only while the original is being loaded.
        mutating func add(_ original: VariantKey) -> Int {
            count += 1
            sources[original]?.lastReplacement = count
            return count
        }
    }

    private static let groupCount = 256
    private let counts = Lock([Count](repeating: Count(), count: groupCount))
    private let replacements = Lock(Replacements())

    /// Returns the number of completed changes to the cached data of a source and of the other sources in its group.
    func count(of source: SourceKey) -> Int {
        let group = Self.group(of: source)
        return counts.withLock { $0[group].ended }
    }

    /// Returns whether the cached data of a source is being changed, or has changed since ``count(of:)`` returned
    /// `count`. Can also be true because of another source in the same group.
    func haveTouched(_ source: SourceKey, since count: Int) -> Bool {
        let group = Self.group(of: source)
        return counts.withLock { $0[group].underWay > 0 || $0[group].ended != count }
    }

    /// Begins a change to the cached data of a source, or of all sources if nil. A call of ``end(_:)`` must follow.
    func begin(_ source: SourceKey?) {
        update(source) { $0.underWay += 1 }
    }

    /// Notes that a change to the cached data of a source has ended; nil stands for all sources.
    func end(_ source: SourceKey?) {
        update(source) { count in
            count.underWay -= 1
            count.ended += 1
        }
    }

    /// The number of replacements so far, of all originals.
    var replacementCount: Int { replacements.withLock { $0.count } }

    /// The number of originals that are being loaded, and whose replacements are therefore recorded.
    var loadedSourceCount: Int { replacements.withLock { $0.sources.count } }

    /// Begins a load of an original. Call ``endLoad(of:)`` once it no longer matters whether the original was replaced.
    /// - Returns: The number of replacements so far, of all originals.
    func beginLoad(of original: VariantKey) -> Int {
        replacements.withLock { replacements in
            replacements.sources[original, default: Source()].loadCount += 1
            return replacements.count
        }
    }

    /// Ends a load of an original.
    func endLoad(of original: VariantKey) {
        replacements.withLock { replacements in
            guard var known = replacements.sources[original] else { return }
            known.loadCount -= 1
            replacements.sources[original] = known.loadCount > 0 ? known : nil
        }
    }

    /// Returns whether an original has been replaced since ``replacementCount`` was `count`. Call it only between
    /// ``beginLoad(of:)`` and ``endLoad(of:)``.
    func haveReplaced(_ original: VariantKey, since count: Int) -> Bool {
        replacements.withLock { $0.last(of: original) > count }
    }

    /// Begins a replacement of an original by client code, so that loads in progress do not store their results. The
    /// caller must wait for ``removal(of:)`` before it stores the new image, and then call ``end(_:)`` for the source.
    func beginReplacing(_ original: VariantKey) {
        begin(original.source)
        replacements.withLock { _ = $0.add(original) }
    }

    /// Begins to replace a cached original and its variants by the result of a load, which the caller stores. Returns
    /// nil and does nothing if the original was replaced since the load began.
    /// - Parameters:
    ///   - count: The result of ``beginLoad(of:)``, or the number of an earlier replacement by the same load.
    ///   - remove: Removes the cached entries. It is called after earlier removals have ended. Nil keeps the entries.
    /// - Returns: The number of the replacement, and the removal to wait for.
    func replace(
        _ original: VariantKey, since count: Int, removing remove: (@Sendable () async -> Void)?
    ) -> (number: Int, removal: Task<Void, Never>?)? {
        replacements.withLock { replacements in
            guard replacements.last(of: original) <= count else { return nil }
            let number = replacements.add(original)
            let earlier = replacements.removals[original]?.task
            begin(original.source)
            guard let remove else {
                end(original.source)
                return (number, earlier)
            }
            let task = Task.detached { [self] in
                await earlier?.value
                await remove()
                end(original.source)
                endRemoval(of: original, number)
            }
            replacements.removals[original] = Removal(number: number, task: task)
            return (number, task)
        }
    }

    private func endRemoval(of original: VariantKey, _ number: Int) {
        replacements.withLock { replacements in
            if replacements.removals[original]?.number == number { replacements.removals[original] = nil }
        }
    }

    /// Returns the task that is removing the entries of an original; nil if there is none. An image that is stored
    /// before the task ends would be removed too.
    func removal(of original: VariantKey) -> Task<Void, Never>? {
        replacements.withLock { $0.removals[original]?.task }
    }

    private func update(_ source: SourceKey?, _ body: (inout Count) -> Void) {
        let group = source.map { Self.group(of: $0) }
        counts.withLock { counts in
            for index in group.map({ $0...$0 }) ?? 0...Self.groupCount - 1 { body(&counts[index]) }
        }
    }

    private static func group(of source: SourceKey) -> Int { source.hashValue & (groupCount - 1) }
}
