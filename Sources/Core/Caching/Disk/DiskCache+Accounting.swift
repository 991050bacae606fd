import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The maximum number of times that a shard is counted in a row, if files are stored or removed during each count.
    private static let lookAttempts = 3

    /// Counts the files of a shard, and corrects the usage of the shard in the ledger. Called only on
    /// ``trimmingQueue``.
    ///
    /// If files change during every attempt, the ledger is not corrected. The end of the last change then schedules a
    /// new count.
    /// - Parameters:
    ///   - shards: The shards that exist. An absent shard is counted only if the ledger contains entries of it, since
    ///     another process may have created the shard in the meantime.
    ///   - attempts: The maximum number of counts.
    /// - Returns: The files found by the last count.
    func look(at shard: Int, of shards: DiskShards, attempts: Int = DiskCache.lookAttempts) -> DiskSurvey {
        var attempt = 0
        while true {
            let (known, moment) = accounts.withLock { ($0.ledger?.shards[shard], $0.beginLook(at: shard)) }
            if !shards.contains(shard), known == nil || known == DiskUsage() { return DiskSurvey(ofAbsent: shard) }
            // Files in a shard that belongs to another user are not entries.
            let isExcluded = !shards.contains(shard) && isForeign(shard: shard)
            let survey = isExcluded ? DiskSurvey(ofAbsent: shard) : DiskSurvey(of: shard, in: root, files)
            attempt += 1
            guard known != nil, survey.failure == nil else { return survey }
            let isOver = accounts.withLock { $0.endLook(at: shard, since: moment, found: survey.usage) }
            if isOver || attempt == attempts { return survey }
        }
    }

    /// Begins a change of entries in a shard. Called before any file changes. A count that runs at the same time is not
    /// used, because it may include a part of the change.
    func beginChange(in shard: Int) { accounts.withLock { $0.beginChange(in: shard) } }

    /// Ends a change of entries in a shard. Called after the change was added to the ledger.
    func endChange(in shard: Int) {
        let repeatTime = accounts.withLock { $0.endChange(in: shard) }
        if let repeatTime { lookAgain(at: shard, notBefore: repeatTime) }
    }

    /// Counts a stored entry, ends the change of its shard, and starts maintenance of the directory if it is due. Waits
    /// for the maintenance if the usage is far above the limits.
    /// - Parameter former: The usage of the entry that was replaced; zero if there was none.
    func endStore(_ usage: DiskUsage, replacing former: DiskUsage, in shard: Int) {
        let (repeatTime, starts, waits) = accounts.withLock { accounts -> (Duration?, Bool, Bool) in
            accounts.addStore(usage, replacing: former, in: shard)
            let repeatTime = accounts.endChange(in: shard)
            guard accounts.needsCare(configuration) else { return (repeatTime, false, false) }
            let starts = !accounts.isUnderWay
            accounts.isUnderWay = true
            return (repeatTime, starts, accounts.isFarOverLimits(configuration))
        }
        if let repeatTime { lookAgain(at: shard, notBefore: repeatTime) }
        if starts { trimmingQueue.async { self.seeToDirectory() } }
        // Storing is faster than removing: if stores never waited, several of them could fill the disk.
        if waits { trimmingQueue.sync {} }
    }

    /// Schedules a new count of a shard.
    /// - Parameter moment: The earliest time of the count, on the clock of ``TimeSource/now()``.
    private func lookAgain(at shard: Int, notBefore moment: Duration) {
        let delay = moment - time.now()
        if delay > .zero {
            time.after(delay) { [weak self] in
                guard let self else { return }
                self.trimmingQueue.async { self.repeatLook(at: shard) }
            }
        } else {
            trimmingQueue.async { self.repeatLook(at: shard) }
        }
    }

    /// Counts a shard once, unless it has been counted successfully in the meantime. Called only on ``trimmingQueue``.
    private func repeatLook(at shard: Int) {
        let now = time.now()
        guard isDirectoryUsable(), accounts.withLock({ $0.beginRepeat(at: shard, now: now) }) else { return }
        _ = look(at: shard, of: presentShards(), attempts: 1)
    }

    /// Counts again all shards whose files changed during their last count. Called only on ``trimmingQueue``.
    func repeatSpoiledLooks() {
        for shard in accounts.withLock({ $0.spoiledShards }) { repeatLook(at: shard) }
    }

    /// Writes the changes by this process to the ledger, and waits until they are written.
    func writeLedger() { trimmingQueue.sync { synchronizeLedger() } }

    /// Writes the changes by this process to the ledger's file, if there are any. Called only on ``trimmingQueue``.
    ///
    /// Hits and misses alone are written only if the file exists. Creating it would require counting the directory.
    func tellNews() {
        if accounts.withLock({ $0.hasNews }) {
            if isDirectoryUsable() { synchronizeLedger() }
            return
        }
        tellReads()
        guard accounts.withLock({ $0.changes != DiskLedger() }), isDirectoryUsable(), let found = try? readLedger()
        else {
            return
        }
        let changes = accounts.withLock { $0.takeChanges().changes }
        if !write(found.adding(changes)) { accounts.withLock { $0.returnChanges(changes) } }
    }

    /// Returns whether the directory may be changed. Reports the reason if it may not.
    private func isDirectoryUsable() -> Bool {
        do throws(ImageError) {
            try checkDirectory(for: .store)
            return true
        } catch {
            onIssue(error)
            return false
        }
    }

    /// Adds new hits and misses to the unwritten changes. Hits and misses are new if they occurred after the last call.
    private func tellReads() {
        let (hits, misses) = counters.withLock { ($0.hits, $0.misses) }
        accounts.withLock { $0.tell(hits: hits, misses: misses) }
    }

    /// Reads the ledger's file, and adds the changes by this process to it. Called only on ``trimmingQueue``.
    ///
    /// Counts the whole directory if there is no usable file. The first call counts at least a sample of the directory.
    /// If two processes write at the same moment, the changes of one may be lost until the directory is next counted.
    func synchronizeLedger() {
        let found: DiskLedger?
        do throws(FileSystemError) {
            found = try readLedger()
        } catch {
            onIssue(failure(error, stage: .store, message: "the size of the cache could not be read"))
            // While file operations keep failing, the known usage is more exact than an incomplete count.
            if accounts.withLock({ $0.ledger != nil }) { return }
            found = nil
        }
        tellReads()
        let isKnown = accounts.withLock { accounts -> Bool in
            let isKnown = accounts.ledger != nil && found != nil
            if let found { accounts.adopt(found) } else { accounts.adoptNothing() }
            return isKnown
        }
        let isCounted = isKnown || takeStock(withLedger: found != nil)
        let (ledger, changes) = accounts.withLock { $0.takeChanges() }
        if found != nil {
            if changes != DiskLedger(), !write(ledger) { accounts.withLock { $0.returnChanges(changes) } }
        } else if isCounted {
            _ = write(ledger)
        }
    }

    /// Counts all entries in the directory or, if there is a ledger, a sample that grows until it roughly agrees with
    /// the ledger. The ledger can be wrong, for example because a process was killed before it wrote its last changes.
    ///
    /// Also removes files that killed processes left behind, because a directory that never becomes full is never
    /// trimmed.
    /// - Returns: Whether the count can be used. A few unreadable shards are accepted, because a new count would fail
    ///   on them too.
    private func takeStock(withLedger hasLedger: Bool) -> Bool {
        let present = presentShards()
        var (told, seen) = (DiskUsage(), DiskUsage())
        var failureCount = 0
        for shard in (0..<DiskLedger.shardCount).shuffled() {
            if hasLedger, seen.count >= configuration.sampleCount, !Self.differ(told, seen) { break }
            told += accounts.withLock { $0.ledger?.shards[shard] } ?? DiskUsage()
            let survey = look(at: shard, of: present)
            seen += survey.usage
            if survey.failure != nil { failureCount += 1 }
            _ = removeLeftovers(in: survey, at: time.wallTime())
        }
        return failureCount <= DiskLedger.shardCount / 8
    }

    /// Returns whether the usage in the ledger and the counted usage differ by more than an eighth.
    private static func differ(_ told: DiskUsage, _ seen: DiskUsage) -> Bool {
        abs(told.byteCount - seen.byteCount) > seen.byteCount / 8 || abs(told.count - seen.count) > seen.count / 8
    }

    /// Returns the ledger of the directory. Returns nil if there is no ledger or if it is damaged.
    private func readLedger() throws(FileSystemError) -> DiskLedger? {
        do throws(FileSystemError) {
            // Not through the directory that is kept open, since another one may have taken its place.
            let file = try files.contents(
                of: DiskEntryName.ledger, in: KeptDirectory(root), byteLimit: DiskLedger.byteCount)
            return DiskLedger(file.data)
        } catch {
            if error.isAbsence || error.code == EFBIG { return nil }
            throw error
        }
    }

    /// Writes the ledger to its file. Returns whether that succeeded.
    private func write(_ ledger: DiskLedger) -> Bool {
        do throws(FileSystemError) {
            try files.writeFile(
                [ledger.data], to: "\(root)/\(DiskEntryName.ledger)", through: "\(root)/\(DiskEntryName.temporary())",
                modificationTime: time.wallTime(), isReadOnly: false, isDurable: false)
            return true
        } catch {
            // If the directory does not exist, there is nothing to count.
            if error.code != ENOENT {
                onIssue(failure(error, stage: .store, message: "the size of the cache could not be recorded"))
            }
            return false
        }
    }

    /// Synchronizes the ledger, and trims the directory if the limits are exceeded. Called only on ``trimmingQueue``.
    private func seeToDirectory() {
        accounts.withLock { $0.beginCare(configuration) }
        guard isDirectoryUsable() else { return accounts.withLock { $0.isUnderWay = false } }
        synchronizeLedger()
        if accounts.withLock({ $0.isOverLimits(configuration) }) { trimInBackground() }
        let continues = accounts.withLock { accounts -> Bool in
            accounts.isUnderWay = accounts.needsCare(configuration)
            return accounts.isUnderWay
        }
        if continues { trimmingQueue.async { self.seeToDirectory() } }
    }
}
