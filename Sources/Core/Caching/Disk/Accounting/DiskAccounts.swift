/// The knowledge of a ``DiskCache`` about the size of its directory.
struct DiskAccounts {
    /// After so many stores others are told of them.
    private static let storesBetweenWrites = 1024

    /// The time between two repeats of the look at a shard that changes have spoiled. Each reads the attributes of all
    /// files in the shard.
    private static let repeatInterval = Duration.seconds(1)

    /// The changes of a shard's files, as far as a look at the shard must know of them.
    private struct Activity {
        /// The number of changes that have begun.
        var begunCount = 0
        /// The number of those that have not ended.
        var underWayCount = 0
        /// Whether changes have kept a look from counting what it found.
        var needsLook = false
        /// Whether the look is to be repeated, and has not been yet.
        var awaitsRepeat = false
        /// The earliest time of the next repeat.
        var nextRepeat = Duration.zero
    }

    /// The contents of the directory, including changes that are not written yet; nil before the first look.
    private(set) var ledger: DiskLedger?
    /// The sum of the ledger; before the first look, of the changes.
    private var sum = DiskUsage()
    /// The changes here since the ledger was last written.
    private(set) var changes = DiskLedger()
    /// The amount stored since the directory was last trimmed or checked.
    private(set) var stored = DiskUsage()
    /// Hits and misses that are in the changes or were written.
    private(set) var told = (hits: 0, misses: 0)
    /// The changes of each shard.
    private var activities = [Activity](repeating: Activity(), count: DiskLedger.shardCount)
    /// The number of abandoned files that have been removed here.
    var leftoverCount = 0
    /// Whether a trim in the background is waiting or running.
    var isUnderWay = false
    /// The amount beyond the limits that could not be removed; usually nothing.
    private(set) var tolerated = DiskUsage()

    /// The contents of the directory; before the first look, the amount stored.
    var total: DiskUsage { DiskUsage(byteCount: max(0, sum.byteCount), count: max(0, sum.count)) }

    /// Whether there may be anything to be told but reads.
    var hasNews: Bool { ledger != nil || changes.shards.contains { $0 != DiskUsage() } }

    /// Counts what has changed in a shard.
    mutating func add(_ change: DiskUsage, to shard: Int) {
        changes.shards[shard] += change
        apply(change, to: shard)
    }

    /// Counts the removals of another process from a shard, which that process tells itself.
    mutating func forget(_ usage: DiskUsage, of shard: Int) { apply(DiskUsage() - usage, to: shard) }

    /// Counts what was stored.
    mutating func addStore(_ usage: DiskUsage, replacing former: DiskUsage, in shard: Int) {
        add(usage - former, to: shard)
        stored += DiskUsage(byteCount: usage.byteCount, count: 1)
    }

    /// Counts hits and misses, given how many there were in all.
    mutating func tell(hits: Int, misses: Int) {
        changes.hits += hits - told.hits
        changes.misses += misses - told.misses
        told = (hits, misses)
    }

    /// Begins a look at the directory: what is stored from here on may or may not be seen by it, so it counts again.
    mutating func beginCare(_ configuration: DiskCache.Configuration) {
        stored = DiskUsage()
        if !total.exceeds(configuration.limits) { tolerated = DiskUsage() }
    }

    /// Takes a ledger that was read, and adds what changed here since.
    mutating func adopt(_ found: DiskLedger) {
        let adopted = found.adding(changes)
        ledger = adopted
        sum = adopted.total
    }

    /// Begins without a ledger: the changes are part of what will be found.
    mutating func adoptNothing() {
        changes.shards = DiskLedger().shards
        adopt(DiskLedger())
    }

    /// Returns the ledger to write, and the changes in it, which count as written.
    mutating func takeChanges() -> (ledger: DiskLedger, changes: DiskLedger) {
        let taken = (ledger ?? DiskLedger(), changes)
        changes = DiskLedger()
        return taken
    }

    /// Takes changes back that could not be written.
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

// MARK: - Looking

extension DiskAccounts {
    /// Begins a change of files in a shard. Between it and the end of the change the files may or may not have changed
    /// already, and are not counted yet.
    mutating func beginChange(in shard: Int) {
        activities[shard].begunCount += 1
        activities[shard].underWayCount += 1
    }

    /// Ends a change that has been counted, as far as there was anything to count.
    /// - Returns: The earliest time to look at the shard again, for the last change under way after a look was spoiled;
    ///   nil if no look is needed or one is planned already.
    mutating func endChange(in shard: Int) -> Duration? {
        activities[shard].underWayCount -= 1
        guard activities[shard].underWayCount == 0, activities[shard].needsLook, !activities[shard].awaitsRepeat
        else { return nil }
        activities[shard].awaitsRepeat = true
        return activities[shard].nextRepeat
    }

    /// Begins to repeat a spoiled look at a shard.
    /// - Returns: Whether that is still needed.
    mutating func beginRepeat(at shard: Int, now: Duration) -> Bool {
        activities[shard].awaitsRepeat = false
        guard activities[shard].needsLook else { return false }
        activities[shard].nextRepeat = now + Self.repeatInterval
        return true
    }

    /// The shards at which a look was spoiled and has not been repeated with success.
    var spoiledShards: [Int] { activities.indices.filter { activities[$0].needsLook } }

    /// Begins a look at a shard.
    /// - Returns: The moment of it, for the end of the look; nil while a change of the shard is under way.
    func beginLook(at shard: Int) -> Int? {
        activities[shard].underWayCount == 0 ? activities[shard].begunCount : nil
    }

    /// Ends a look at a shard, and corrects what is known of it, unless a change was under way at any time of the look:
    /// a file that such a change has written or removed would be counted by both.
    /// - Returns: False when the look is to be repeated at once; true too when a change sees to that at its end.
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

// MARK: - Deciding

extension DiskAccounts {
    /// Whether the directory has to be maintained.
    func needsCare(_ configuration: DiskCache.Configuration) -> Bool {
        let limits = configuration.limits
        // Often enough that processes that share the directory are not each as far beyond the limits as one may be.
        return ledger == nil || stored.count > min(Self.storesBetweenWrites - 1, limits.count / 64)
            || stored.byteCount > limits.byteCount / 64 || isOverLimits(configuration)
    }

    /// Whether there is more than there may be.
    func isOverLimits(_ configuration: DiskCache.Configuration) -> Bool { total.exceeds(bound(configuration)) }

    /// Whether the directory is so far beyond its limits that a store has to wait.
    func isFarOverLimits(_ configuration: DiskCache.Configuration) -> Bool {
        let bound = bound(configuration)
        // Before the first look the directory may be full already.
        let room = ledger == nil ? DiskUsage() : bound
        let excess = total - room
        let limits = configuration.limits
        return excess.byteCount > limits.byteCount / 4 || excess.count > max(1, limits.count / 4)
    }

    /// Puts up with what could not be removed: trying again each time would be in vain. With nothing, when that is nil.
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
