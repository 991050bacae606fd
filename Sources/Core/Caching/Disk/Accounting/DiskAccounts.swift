/// The usage of a ``DiskCache``'s directory, as far as the cache knows it: the number of entries and their size in
/// bytes, for each of the 256 parts of the directory (shards). Also keeps the changes that are not yet written to the
/// ``DiskLedger``.
struct DiskAccounts {
    /// The maximum number of stores before the ledger is written again, so that other processes see the stores.
    private static let storesBetweenWrites = 1024

    /// The minimum time between repeated counts of a shard, because each count examines all files of the shard.
    private static let repeatInterval = Duration.seconds(1)

    /// The state that shows whether the files of a shard changed while they were counted.
    private struct Activity {
        /// The number of changes that have begun.
        var begunCount = 0
        /// The number of changes that have begun but not ended.
        var underWayCount = 0
        /// Whether the shard must be counted again, because files changed during the last count.
        var needsLook = false
        /// Whether another count of the shard is scheduled but has not begun.
        var awaitsRepeat = false
        /// The earliest time at which the shard may be counted again, on the clock of the cache's ``TimeSource/now()``.
        var nextRepeat = Duration.zero
    }

    /// The usage of each shard, including unwritten changes; nil until the ledger is first read or created.
    private(set) var ledger: DiskLedger?
    /// The total usage in the ledger. Until there is a ledger, the total of the changes by this process.
    private var sum = DiskUsage()
    /// The changes by this process since the ledger was last written.
    private(set) var changes = DiskLedger()
    /// The bytes and the number of entries stored since maintenance of the directory last began.
    private(set) var stored = DiskUsage()
    /// The numbers of hits and misses of this cache that have been added to ``changes`` so far.
    private(set) var told = (hits: 0, misses: 0)
    /// The changes and counts of each shard, by the number of the shard.
    private var activities = [Activity](repeating: Activity(), count: DiskLedger.shardCount)
    /// The number of leftovers that have been removed: abandoned files, and markers of entries that do not exist.
    var leftoverCount = 0
    /// Whether maintenance of the directory in the background is waiting or running.
    var isUnderWay = false
    /// The usage up to which no trim starts. Set when a trim fails; otherwise zero.
    private(set) var tolerated = DiskUsage()

    /// The usage of the directory; until there is a ledger, the total of the changes by this process. Never negative.
    var total: DiskUsage { DiskUsage(byteCount: max(0, sum.byteCount), count: max(0, sum.count)) }

    /// Whether ``DiskCache/tellNews()`` must synchronize the ledger, rather than only add hits and misses to it.
    var hasNews: Bool { ledger != nil || changes.shards.contains { $0 != DiskUsage() } }

    /// Adds a change by this process to the usage of a shard. The change is written to the ledger's file later.
    mutating func add(_ change: DiskUsage, to shard: Int) {
        changes.shards[shard] += change
        apply(change, to: shard)
    }

    /// Subtracts the usage of entries that another process removed. The changes to write remain the same, because that
    /// process writes its removals to the ledger itself.
    mutating func forget(_ usage: DiskUsage, of shard: Int) { apply(DiskUsage() - usage, to: shard) }

    /// Counts the store of an entry in a shard.
    /// - Parameter former: The usage of the entry that was replaced; zero if there was none.
    mutating func addStore(_ usage: DiskUsage, replacing former: DiskUsage, in shard: Int) {
        add(usage - former, to: shard)
        stored += DiskUsage(byteCount: usage.byteCount, count: 1)
    }

    /// Adds the hits and misses since the last call to the unwritten changes. Both parameters count from the creation
    /// of the cache.
    mutating func tell(hits: Int, misses: Int) {
        changes.hits += hits - told.hits
        changes.misses += misses - told.misses
        told = (hits, misses)
    }

    /// Begins maintenance of the directory. Entries that are stored from now on count for the next maintenance, because
    /// this one may miss them.
    mutating func beginCare(_ configuration: DiskCache.Configuration) {
        stored = DiskUsage()
        if !total.exceeds(configuration.limits) { tolerated = DiskUsage() }
    }

    /// Replaces the ledger by one that was read from its file, with the unwritten changes of this process added.
    mutating func adopt(_ found: DiskLedger) {
        let adopted = found.adding(changes)
        ledger = adopted
        sum = adopted.total
    }

    /// Begins with an empty ledger. Discards the unwritten changes of shards, because the caller then counts the
    /// directory, and the count includes these changes.
    mutating func adoptNothing() {
        changes.shards = DiskLedger().shards
        adopt(DiskLedger())
    }

    /// Returns the ledger to write, and the changes that it contains. Afterward, there are no unwritten changes.
    mutating func takeChanges() -> (ledger: DiskLedger, changes: DiskLedger) {
        let taken = (ledger ?? DiskLedger(), changes)
        changes = DiskLedger()
        return taken
    }

    /// Takes back changes that could not be written, so that they are written later.
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
    /// Begins a change of files in a shard. A count that runs at the same time is not used, because it may or may not
    /// include the change.
    mutating func beginChange(in shard: Int) {
        activities[shard].begunCount += 1
        activities[shard].underWayCount += 1
    }

    /// Ends a change of files in a shard, after the change was added to the ledger.
    /// - Returns: The earliest time at which the caller must count the shard again; nil if it need not.
    mutating func endChange(in shard: Int) -> Duration? {
        activities[shard].underWayCount -= 1
        guard activities[shard].underWayCount == 0, activities[shard].needsLook, !activities[shard].awaitsRepeat
        else { return nil }
        activities[shard].awaitsRepeat = true
        return activities[shard].nextRepeat
    }

    /// Begins a scheduled count of a shard. Returns whether the count is still needed.
    mutating func beginRepeat(at shard: Int, now: Duration) -> Bool {
        activities[shard].awaitsRepeat = false
        guard activities[shard].needsLook else { return false }
        activities[shard].nextRepeat = now + Self.repeatInterval
        return true
    }

    /// The shards that must be counted again, because files changed during their last count.
    var spoiledShards: [Int] { activities.indices.filter { activities[$0].needsLook } }

    /// Begins a count of a shard's files. Returns the value to pass to `endLook`; nil if files are being changed.
    func beginLook(at shard: Int) -> Int? {
        activities[shard].underWayCount == 0 ? activities[shard].begunCount : nil
    }

    /// Ends a count of a shard's files, and corrects the usage of the shard in the ledger. Corrects nothing if files
    /// changed during the count, because they could be counted twice.
    /// - Parameters:
    ///   - moment: The result of `beginLook`.
    ///   - usage: The usage that was counted.
    /// - Returns: Whether the caller is done. False if it should count the shard again at once.
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
        // Maintenance is due after a 64th of the limits has been stored. Otherwise, each of several processes that
        // share the directory could exceed the limits by as much as a single process may.
        return ledger == nil || stored.count > min(Self.storesBetweenWrites - 1, limits.count / 64)
            || stored.byteCount > limits.byteCount / 64 || isOverLimits(configuration)
    }

    /// Returns whether the usage exceeds both the limits and the tolerated usage.
    func isOverLimits(_ configuration: DiskCache.Configuration) -> Bool { total.exceeds(bound(configuration)) }

    /// Returns whether the usage is so far above the limits that a store must wait for maintenance.
    func isFarOverLimits(_ configuration: DiskCache.Configuration) -> Bool {
        let bound = bound(configuration)
        // Before the first count, the directory may be full already.
        let room = ledger == nil ? DiskUsage() : bound
        let excess = total - room
        let limits = configuration.limits
        return excess.byteCount > limits.byteCount / 4 || excess.count > max(1, limits.count / 4)
    }

    /// Sets the tolerated usage after a trim. If a trim fails and the usage still exceeds the limits, the next trim
    /// starts only after the usage has grown by an eighth of the limits. A trim before that would probably fail too.
    /// - Parameter configuration: The configuration with the limits; nil if the trim succeeded.
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
