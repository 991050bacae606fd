import Dispatch

extension DiskCache {
    /// What the cache remembers between calls.
    struct Trimming {
        /// The bytes that may be stored before somebody looks at the folder again; none before the first look.
        var allowance = 0
        /// Whether a trim in the background is waiting or running.
        var isUnderWay = false
        /// How many damaged entries were removed.
        var repairCount = 0
    }

    /// Seconds after which a file that is being written must be one that nobody finished.
    private static let temporaryLifetime = 3600.0

    /// The bytes of all entries, those too that have expired and not been removed. Walks over the folder.
    public func totalByteCount() throws -> Int { try survey().byteCount }

    /// The number of entries, those too that have expired and not been removed. Walks over the folder.
    public func entryCount() throws -> Int { try survey().entries.count }

    /// Removes what has expired, then what was used least recently, until no more than `byteCount` bytes are left.
    ///
    /// Waits for a trim in the background to end. Throws when something could not be removed, having removed the rest.
    public func trim(toByteCount byteCount: Int) throws {
        try report(trimmingQueue.sync { removeEntries(downTo: byteCount, whenAbove: byteCount) })
    }

    /// Removes what has expired.
    ///
    /// Reading and trimming do so too: only needed to give back room early. Waits and throws like `trim(toByteCount:)`.
    public func removeExpired() throws {
        try report(trimmingQueue.sync { removeEntries(downTo: .max, whenAbove: .max) })
    }

    /// Returns when no trim in the background is waiting or running.
    public func waitForTrimming() {
        repeat { trimmingQueue.sync {} } while trimming.withLock({ $0.isUnderWay })
    }

    /// Whether an entry was not used for too long.
    func isTooOld(_ attributes: FileAttributes, at now: Double) -> Bool {
        guard let maxAge = configuration.maxAge else { return false }
        return now - attributes.modificationTime > maxAge.seconds
    }

    /// Whether an entry has expired, by its age or by a date of its own.
    func hasExpired(_ path: String, _ attributes: FileAttributes, at now: Double) throws(FileSystemError) -> Bool {
        if isTooOld(attributes, at: now) { return true }
        // Only those with a date of their own are read-only; see the format.
        guard attributes.isReadOnly else { return false }
        let tail = try files.tail(of: path, byteCount: DiskEntryFormat.footerByteCount)
        guard let expiration = DiskEntryFormat.expiration(inTail: tail) else { return false }
        return expiration <= now
    }

    /// Counts what was stored, and starts a trim in the background when it is time.
    func noteStored(_ byteCount: Int) {
        let (startsTrim, waits) = trimming.withLock { trimming -> (Bool, Bool) in
            trimming.allowance -= byteCount
            guard trimming.allowance < 0 else { return (false, false) }
            let startsTrim = !trimming.isUnderWay
            trimming.isUnderWay = true
            return (startsTrim, trimming.allowance < -(configuration.byteLimit / 4))
        }
        if startsTrim { trimmingQueue.async { self.trimInBackground() } }
        // Storing is faster than removing: were nobody to wait, several who store would fill the disk.
        if waits { trimmingQueue.sync {} }
    }

    private func trimInBackground() {
        // What is stored from here on may or may not be seen by the walk, so it counts in any case.
        trimming.withLock { $0.allowance = 0 }
        let limit = configuration.byteLimit
        let survey = removeEntries(downTo: limit / 5 * 4, whenAbove: limit)
        if let error = survey.failure {
            onIssue(failure(error, stage: .store, message: "the cache could not be trimmed"))
        }
        // Others store into the same folder: however much room is left, look again after an eighth of the limit. The
        // same when there is too much that cannot be removed, rather than trying in vain each time.
        let room = limit - survey.byteCount
        let allowance = room < 0 ? limit / 8 : min(room, limit / 8)
        let continues = trimming.withLock { trimming -> Bool in
            trimming.allowance += allowance
            trimming.isUnderWay = trimming.allowance < 0
            return trimming.isUnderWay
        }
        if continues { trimmingQueue.async { self.trimInBackground() } }
    }

    /// Removes what has expired and what was left behind and then, when there are more than `limit` bytes, what was
    /// used least recently until there are no more than `target`. Returns what is left. Called on its queue alone.
    private func removeEntries(downTo target: Int, whenAbove limit: Int) -> DiskSurvey {
        let now = time.wallTime()
        var survey = DiskSurvey(of: root, files)
        var folders = Set(survey.emptyFolders)
        var kept: [DiskSurvey.Entry] = []
        for entry in survey.entries {
            // What cannot be read now is no more expired than it was; reading it will tell.
            let isExpired = (try? hasExpired(entry.path, entry.attributes, at: now)) ?? false
            if !isExpired {
                kept.append(entry)
            } else if remove(entry, &survey) {
                survey.byteCount -= entry.attributes.byteCount
                folders.insert(entry.folder)
            }
        }
        if survey.byteCount > limit {
            kept.sort { $0.attributes.modificationTime < $1.attributes.modificationTime }
            for entry in kept {
                if survey.byteCount <= target { break }
                guard remove(entry, &survey) else { continue }
                survey.byteCount -= entry.attributes.byteCount
                folders.insert(entry.folder)
            }
        }
        for leftover in survey.temporaries
        where now - leftover.attributes.modificationTime > Self.temporaryLifetime {
            if remove(leftover, &survey) { folders.insert(leftover.folder) }
        }
        for folder in folders {
            do throws(FileSystemError) {
                try files.removeFolderIfEmpty(folder)
            } catch {
                survey.note(error)
            }
        }
        return survey
    }

    /// Removes a file; false, with the failure noted, when that could not be done.
    private func remove(_ entry: DiskSurvey.Entry, _ survey: inout DiskSurvey) -> Bool {
        do throws(FileSystemError) {
            try files.removeFileIfPresent(entry.path)
            return true
        } catch {
            survey.note(error)
            return false
        }
    }

    private func survey() throws -> DiskSurvey {
        let survey = DiskSurvey(of: root, files)
        guard let error = survey.failure else { return survey }
        throw failure(error, stage: .query, message: "the cache could not be counted")
    }

    private func report(_ survey: DiskSurvey) throws {
        guard let error = survey.failure else { return }
        throw failure(error, stage: .store, message: "the cache could not be trimmed")
    }
}
