import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The maximum number of looks at a shard in which files are stored or removed each time.
    private static let lookAttempts = 3

    /// Looks at a shard, and corrects its known usage. Called only on the queue for trimming.
    ///
    /// If a shard changes all the time, its known usage remains; the end of a change, or the next look, corrects it. An
    /// absent shard is looked at only if the ledger has entries in it, which another process may have stored since.
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

    /// Begins a change of entries in a shard, before any file changes. Until ``endChange(in:)``, no look corrects the
    /// known usage of the shard.
    func beginChange(in shard: Int) { accounts.withLock { $0.beginChange(in: shard) } }

    /// Ends a change of entries in a shard, after the change was counted.
    func endChange(in shard: Int) {
        let repeatTime = accounts.withLock { $0.endChange(in: shard) }
        if let repeatTime { lookAgain(at: shard, notBefore: repeatTime) }
    }

    /// Counts a store, ends the change, and starts maintenance of the directory if it is due.
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

    /// Repeats a look at a shard that changes have spoiled, immediately or at a later time.
    ///
    /// A shard may have many files and change all the time, for example while many variants of one source are stored.
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

    /// Looks once at a shard, unless another look has counted it since. Called only on the queue for trimming.
    private func repeatLook(at shard: Int) {
        let now = time.now()
        guard isDirectoryUsable(), accounts.withLock({ $0.beginRepeat(at: shard, now: now) }) else { return }
        _ = look(at: shard, of: presentShards(), attempts: 1)
    }

    /// Repeats the looks at all shards that changes have spoiled. Called only on the queue for trimming.
    func repeatSpoiledLooks() {
        for shard in accounts.withLock({ $0.spoiledShards }) { repeatLook(at: shard) }
    }

    /// Writes the changes by this process to the ledger.
    func writeLedger() { trimmingQueue.sync { synchronizeLedger() } }

    /// Writes the changes by this process to the ledger, if there are any. Called only on the queue for trimming.
    ///
    /// If only reads have been counted, they are added to an existing ledger. They are no reason to count a directory
    /// or to begin a ledger.
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

    /// Adds the reads so far to the changes.
    private func tellReads() {
        let (hits, misses) = counters.withLock { ($0.hits, $0.misses) }
        accounts.withLock { $0.tell(hits: hits, misses: misses) }
    }

    /// Reads the ledger, and writes the changes by this process to it. Called only on the queue for trimming.
    ///
    /// Changes are written instead of sums, so that concurrent changes by other processes are kept. If two processes
    /// write at the same moment, the changes of one may be lost; the ledger is then wrong until the next count.
    func synchronizeLedger() {
        let found: DiskLedger?
        do throws(FileSystemError) {
            found = try readLedger()
        } catch {
            onIssue(failure(error, stage: .store, message: "the size of the cache could not be read"))
            // If calls fail one after another, the known usage is better than that of an incomplete look.
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

    /// Counts the directory. Without a ledger, which happens once in the life of a directory, it counts all entries.
    /// With a ledger, it counts a sample, and all entries only if the ledger turns out to be wrong.
    ///
    /// Processes that were killed have not written their last changes. The files that they left behind are removed here
    /// too, since a directory that never becomes full is never trimmed.
    /// - Returns: False if more than an eighth of the shards could not be counted. With fewer failures, counting
    ///   everything again would not help.
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

    /// Returns whether the ledger differs from the count by more than an eighth.
    private static func differ(_ told: DiskUsage, _ seen: DiskUsage) -> Bool {
        abs(told.byteCount - seen.byteCount) > seen.byteCount / 8 || abs(told.count - seen.count) > seen.count / 8
    }

    /// Returns the ledger of the directory. Returns nil if there is none or it is damaged.
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

    /// Writes the ledger. Returns false if that fails.
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

    /// Maintains the ledger and the limits.
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
