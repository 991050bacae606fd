import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The number of attempts of a look at a shard in which something is stored or removed each time.
    private static let lookAttempts = 3

    /// Looks at a shard, and corrects what is known of it. Called on the queue for trimming alone.
    ///
    /// The usage of a shard that changes all the time stays as it is known: the end of a change, or the next look,
    /// corrects it. A shard that was not there is looked at only if another process tells of entries in it, which it
    /// may have stored since.
    func look(at shard: Int, of shards: DiskShards, attempts: Int = DiskCache.lookAttempts) -> DiskSurvey {
        var attempt = 0
        while true {
            let (known, moment) = accounts.withLock { ($0.ledger?.shards[shard], $0.beginLook(at: shard)) }
            if !shards.contains(shard), known == nil || known == DiskUsage() { return DiskSurvey(ofAbsent: shard) }
            // Nothing in the shard of another user is an entry.
            let isExcluded = !shards.contains(shard) && isForeign(shard: shard)
            let survey = isExcluded ? DiskSurvey(ofAbsent: shard) : DiskSurvey(of: shard, in: root, files)
            attempt += 1
            guard known != nil, survey.failure == nil else { return survey }
            let isOver = accounts.withLock { $0.endLook(at: shard, since: moment, found: survey.usage) }
            if isOver || attempt == attempts { return survey }
        }
    }

    /// Begins a change of entries in a shard, before the first file may change. Until ``endChange(in:)`` no look
    /// corrects what is known of the shard.
    func beginChange(in shard: Int) { accounts.withLock { $0.beginChange(in: shard) } }

    /// Ends a change of entries in a shard, after what has changed was counted.
    func endChange(in shard: Int) {
        let repeatTime = accounts.withLock { $0.endChange(in: shard) }
        if let repeatTime { lookAgain(at: shard, notBefore: repeatTime) }
    }

    /// Counts what was stored, ends the change, and has the directory maintained when it is time.
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
        // Storing is faster than removing: if no store waited, several of them would fill the disk.
        if waits { trimmingQueue.sync {} }
    }

    /// Repeats a look at a shard that changes have spoiled, at once or at a later time.
    ///
    /// A shard may change all the time, as when many variants of one source are stored, and have many files.
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

    /// Looks once at a shard, unless another look has counted it since. Called on the queue for trimming alone.
    private func repeatLook(at shard: Int) {
        let now = time.now()
        guard isDirectoryUsable(), accounts.withLock({ $0.beginRepeat(at: shard, now: now) }) else { return }
        _ = look(at: shard, of: presentShards(), attempts: 1)
    }

    /// Looks now at all shards at which a look was spoiled. Called on the queue for trimming alone.
    func repeatSpoiledLooks() {
        for shard in accounts.withLock({ $0.spoiledShards }) { repeatLook(at: shard) }
    }

    /// Tells others now what changed here.
    func writeLedger() { trimmingQueue.sync { synchronizeLedger() } }

    /// Tells others what is news to them, if anything. Called on the queue for trimming alone.
    ///
    /// Reads alone go into the ledger that is there: for their sake nobody counts a directory, nor begins a ledger.
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

    /// Whether the directory is one to be changed; reports where it is not.
    private func isDirectoryUsable() -> Bool {
        do throws(ImageError) {
            try checkDirectory(for: .store)
            return true
        } catch {
            onIssue(error)
            return false
        }
    }

    /// Counts the reads so far among the changes.
    private func tellReads() {
        let (hits, misses) = counters.withLock { ($0.hits, $0.misses) }
        accounts.withLock { $0.tell(hits: hits, misses: misses) }
    }

    /// Reads what others told of the directory, and tells what changed here since. Called on the queue for trimming
    /// alone.
    ///
    /// Changes are told, not sums, so that what other processes tell meanwhile is kept. Two processes that tell theirs
    /// at the same instant may lose one of them: the ledger is then wrong until the next count.
    func synchronizeLedger() {
        let found: DiskLedger?
        do throws(FileSystemError) {
            found = try readLedger()
        } catch {
            onIssue(failure(error, stage: .store, message: "the count of the cache could not be read"))
            // What is known is a better guess than half a look, where one call after the other fails.
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

    /// Counts: all entries when there is no ledger, which happens once in a directory's life; else some, and all only
    /// if the ledger is found to be wrong. Those who were killed did not tell of what they stored last, and what they
    /// left half written goes: a directory that never becomes full is never trimmed. False when more than an eighth
    /// could not be counted; with less, counting all of it again each time would mend nothing.
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

    /// Whether a count is off by more than an eighth.
    private static func differ(_ told: DiskUsage, _ seen: DiskUsage) -> Bool {
        abs(told.byteCount - seen.byteCount) > seen.byteCount / 8 || abs(told.count - seen.count) > seen.count / 8
    }

    /// Returns the ledger of the directory; nil if there is none or it is damaged.
    private func readLedger() throws(FileSystemError) -> DiskLedger? {
        do throws(FileSystemError) {
            // Not through the directory that is kept open: another may have taken its place.
            let file = try files.contents(
                of: DiskEntryName.ledger, in: KeptDirectory(root), byteLimit: DiskLedger.byteCount)
            return DiskLedger(file.data)
        } catch {
            if error.isAbsence || error.code == EFBIG { return nil }
            throw error
        }
    }

    /// Writes the ledger; false when that failed.
    private func write(_ ledger: DiskLedger) -> Bool {
        do throws(FileSystemError) {
            try files.writeFile(
                [ledger.data], to: "\(root)/\(DiskEntryName.ledger)", through: "\(root)/\(DiskEntryName.temporary())",
                modificationTime: time.wallTime(), isReadOnly: false, isDurable: false)
            return true
        } catch {
            // Without a directory there is nothing to count.
            if error.code != ENOENT {
                onIssue(failure(error, stage: .store, message: "the count of the cache could not be written"))
            }
            return false
        }
    }

    /// Sees to ledger and limits.
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
