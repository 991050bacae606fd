/// A counter of the changes to the cached data of sources. A change is a store or a removal by client code, or a
/// replacement by a load.
///
/// A request that begins after a change does not share cache reads with earlier requests, but can still join their
/// loads. Data that the earlier requests read from a cache before the change is not stored again. Data that they load
/// is still stored, unless the original was replaced after the load began.
///
/// Changes are counted for groups of sources, so the memory is constant. A change of another source in the same group
/// can make some work run twice. Replacements are recorded separately for each original, that is, for each source and
/// policy (``VariantKey/policy``), because new data for one user says nothing about the data of another. They are
/// recorded only while the original is being loaded. Thread-safe.
final class CacheChanges: Sendable {
    private struct Count {
        var ended = 0
        var underWay = 0
    }

    /// The state of an original that is being loaded.
    private struct Source {
        var loadCount = 0
        /// The number of the last replacement since the first of the current loads began. Numbers start at 1; 0 means
        /// that there was no replacement.
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
        /// The last removal of the cached entries of each original. A removal waits for earlier removals for the same
        /// original.
        var removals: [VariantKey: Removal] = [:]

        func last(of original: VariantKey) -> Int { sources[original]?.lastReplacement ?? 0 }

        /// Counts a replacement and returns its number. The number is recorded for the original only while the original
        /// is being loaded, because only its loads ask for the number.
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

    /// Returns whether the cached data of a source is being changed, or has been changed since ``count(of:)`` returned
    /// `count`. The result can also be true because of another source in the same group.
    func haveTouched(_ source: SourceKey, since count: Int) -> Bool {
        let group = Self.group(of: source)
        return counts.withLock { $0[group].underWay > 0 || $0[group].ended != count }
    }

    /// Notes that a change to the cached data of a source begins; nil stands for all sources. The caller must call
    /// ``end(_:)`` after the change.
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

    /// Notes that a load of an original begins. Call `endLoad(of:)` once it no longer matters whether the original was
    /// replaced.
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

    /// Returns whether an original has been replaced since the time at which ``replacementCount`` was `count`. Call it
    /// only for a load that ``beginLoad(of:)`` has begun and ``endLoad(of:)`` has not ended.
    func haveReplaced(_ original: VariantKey, since count: Int) -> Bool {
        replacements.withLock { $0.last(of: original) > count }
    }

    /// Notes that client code replaces an original, so that loads in progress do not store their results. Also begins a
    /// change of the original's source, so the caller must call ``end(_:)`` for this source. The caller must wait for
    /// the removal in progress (``removal(of:)``) before it stores the new image.
    func beginReplacing(_ original: VariantKey) {
        begin(original.source)
        replacements.withLock { _ = $0.add(original) }
    }

    /// Notes that the result of a load replaces the cached original and its variants.
    /// - Parameters:
    ///   - count: The result of ``beginLoad(of:)`` when the load began.
    ///   - remove: Removes the cached entries. It is called after earlier removals have ended. Nil keeps the entries.
    /// - Returns: The number of the replacement, and the removal to wait for. Returns nil and does nothing if the
    ///   original was replaced since the load began.
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

    /// Returns the removal of entries that is in progress for replacements of an original; nil if there is none. An
    /// image that is stored before the removal ends would be removed too.
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
