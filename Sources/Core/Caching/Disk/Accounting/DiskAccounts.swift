/// The size of the directory of a ``DiskCache``, as far as the cache knows it.
struct DiskAccounts {
    /// The number of stores after which the ledger is written for other processes.
    private static let storesBetweenWrites = 1024

    /// The time between two repeats of the look at a shard that changes have spoiled. Each repeat reads the attributes
    /// of all files in the shard.
    private static let repeatInterval = Duration.seconds(1)

    /// The changes of files in a shard, as far as they concern looks at the shard.
    private struct Activity {
        /// The number of changes that have begun.
        var begunCount = 0
        /// The number of changes that have begun but not ended.
        var underWayCount = 0
        /// Whether a look could not be counted because of changes.
        var needsLook = false
        /// Whether a repeat of the look is planned but has not begun.
        var awaitsRepeat = false
        /// The earliest time of the next repeat.
        var nextRepeat = Duration.zero
    }

    /// The contents of the directory, including changes that are not written yet; nil before the first look at the
    /// directory.
    private(set) var ledger: DiskLedger?
    /// The sum over the ledger or, before the first look, over the changes.
    private var sum = DiskUsage()
    /// The changes by this process since the ledger was last written.
    private(set) var changes = DiskLedger()
    /// The usage stored since the directory was last trimmed or checked.
    private(set) var stored = DiskUsage()
    /// The hits and misses that are in the changes or were written.
    private(set) var told = (hits: 0, misses: 0)
    /// The activity in each shard.
    private var activities = [Activity](repeating: Activity(), count: DiskLedger.shardCount)
    /// The number of abandoned files that this cache has removed.
    var leftoverCount = 0
    /// Whether a trim in the background is waiting or running.
    var isUnderWay = false
    /// The usage up to which exceeding the limits is tolerated, because files could not be removed; usually zero.
    private(set) var tolerated = DiskUsage()

    /// The usage of the directory or, before the first look, of what was stored.
    var total: DiskUsage { DiskUsage(byteCount: max(0, sum.byteCount), count: max(0, sum.count)) }

    /// Whether there may be changes to write other than counts of reads.
    var hasNews: Bool { ledger != nil || changes.shards.contains { $0 != DiskUsage() } }

    /// Counts a change of a shard.
    mutating func add(_ change: DiskUsage, to shard: Int) {
        changes.shards[shard] += change
        apply(change, to: shard)
    }

    /// Counts removals from a shard by another process, which writes them to the ledger itself.
    mutating func forget(_ usage: DiskUsage, of shard: Int) { apply(DiskUsage() - usage, to: shard) }

    /// Counts a store.
    mutating func addStore(_ usage: DiskUsage, replacing former: DiskUsage, in shard: Int) {
        add(usage - former, to: shard)
        stored += DiskUsage(byteCount: usage.byteCount, count: 1)
    }

    /// Counts hits and misses, given their totals.
    mutating func tell(hits: Int, misses: Int) {
        changes.hits += hits - told.hits
        changes.misses += misses - told.misses
        told = (hits, misses)
    }

    /// Begins maintenance of the directory. Stores count anew from here on, since a look may or may not see them.
    mutating func beginCare(_ configuration: DiskCache.Configuration) {
        stored = DiskUsage()
        if !total.exceeds(configuration.limits) { tolerated = DiskUsage() }
    }

    /// Adopts a ledger that was read, and adds the changes of this process.
    mutating func adopt(_ found: DiskLedger) {
        let adopted = found.adding(changes)
        ledger = adopted
        sum = adopted.total
    }

    /// Begins without a ledger. The changes of shards are forgotten, since a look at the directory will find them.
    mutating func adoptNothing() {
        changes.shards = DiskLedger().shards
        adopt(DiskLedger())
    }

    /// Returns the ledger to write and the changes in it. The changes then count as written.
    mutating func takeChanges() -> (ledger: DiskLedger, changes: DiskLedger) {
        let taken = (ledger ?? DiskLedger(), changes)
        changes = DiskLedger()
        return taken
    }

    /// Restores changes that could not be written.
    mutating func returnChanges(_ returned: DiskLedger) {
        for (shard, change) in returned.shards.enumerated() { changes.shards[shard] += change }
        changes.hits += returned.hits
        changes.misses += returned.misses
    }

    private mutating func apply(_ change: DiskUsage, to shard: Int) {
        sum += change
        ledger?.shards[shard] += change
    }
}

// MARK: - Looks and changes

extension DiskAccounts {
    /// Begins a change of files in a shard. Until the change ends, the files may or may not have changed, and are not
    /// counted yet.
    mutating func beginChange(in shard: Int) {
        activities[shard].begunCount += 1
        activities[shard].underWayCount += 1
    }

    /// Ends a change of a shard, after it was counted.
    /// - Returns: The earliest time to repeat a look at the shard, if the look was spoiled and this was the last change
    ///   in progress; nil if no repeat is needed, or one is planned already.
    mutating func endChange(in shard: Int) -> Duration? {
        activities[shard].underWayCount -= 1
        guard activities[shard].underWayCount == 0, activities[shard].needsLook, !activities[shard].awaitsRepeat
        else { return nil }
        activities[shard].awaitsRepeat = true
        return activities[shard].nextRepeat
    }

    /// Begins to repeat a spoiled look at a shard.
    /// - Returns: Whether the repeat is still needed.
    mutating func beginRepeat(at shard: Int, now: Duration) -> Bool {
        activities[shard].awaitsRepeat = false
        guard activities[shard].needsLook else { return false }
        activities[shard].nextRepeat = now + Self.repeatInterval
        return true
    }

    /// The shards with a spoiled look that has not been repeated successfully.
    var spoiledShards: [Int] { activities.indices.filter { activities[$0].needsLook } }

    /// Begins a look at a shard.
    /// - Returns: The number of changes so far, to be passed to the end of the look; nil while a change of the shard is
    ///   in progress.
    func beginLook(at shard: Int) -> Int? {
        activities[shard].underWayCount == 0 ? activities[shard].begunCount : nil
    }

    /// Ends a look at a shard, and corrects the known usage of the shard. Corrects nothing if a change was in progress
    /// during the look: a file that it wrote or removed would be counted by both.
    /// - Returns: False if the look should be repeated at once. True also if a change will have it repeated when it
    ///   ends.
    mutating func endLook(at shard: Int, since moment: Int?, found usage: DiskUsage) -> Bool {
        guard let moment, moment == activities[shard].begunCount, let known = ledger?.shards[shard] else {
            activities[shard].needsLook = true
            return activities[shard].underWayCount > 0
        }
        activities[shard].needsLook = false
        add(usage - known, to: shard)
        return true
    }
}

// MARK: - Maintenance

extension DiskAccounts {
    /// Returns whether the directory needs maintenance.
    func needsCare(_ configuration: DiskCache.Configuration) -> Bool {
        let limits = configuration.limits
        // So often that processes that share the directory do not each exceed the limits by as much as one process may.
        return ledger == nil || stored.count > min(Self.storesBetweenWrites - 1, limits.count / 64)
            || stored.byteCount > limits.byteCount / 64 || isOverLimits(configuration)
    }

    /// Returns whether the usage exceeds the limits.
    func isOverLimits(_ configuration: DiskCache.Configuration) -> Bool { total.exceeds(bound(configuration)) }

    /// Returns whether the usage exceeds the limits by so much that a store must wait.
    func isFarOverLimits(_ configuration: DiskCache.Configuration) -> Bool {
        let bound = bound(configuration)
        // Before the first look, the directory may be full already.
        let room = ledger == nil ? DiskUsage() : bound
        let excess = total - room
        let limits = configuration.limits
        return excess.byteCount > limits.byteCount / 4 || excess.count > max(1, limits.count / 4)
    }

    /// Tolerates the excess that could not be removed, since every new attempt would fail too. Tolerates nothing if the
    /// argument is nil.
    mutating func tolerateRest(_ configuration: DiskCache.Configuration?) {
        tolerated = DiskUsage()
        guard let limits = configuration?.limits else { return }
        if total.byteCount > limits.byteCount { tolerated.byteCount = total.byteCount + limits.byteCount / 8 }
        if total.count > limits.count { tolerated.count = total.count + limits.count / 8 }
    }

    private func bound(_ configuration: DiskCache.Configuration) -> DiskUsage {
        let limits = configuration.limits
        return DiskUsage(
            byteCount: max(limits.byteCount, tolerated.byteCount), count: max(limits.count, tolerated.count))
    }
}
