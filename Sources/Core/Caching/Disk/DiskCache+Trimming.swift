import Dispatch

extension DiskCache {
    /// Seconds after which a file that is being written counts as abandoned.
    private static let temporaryLifetime = 3600.0
    /// The factor between the amount to remove and the amount that is examined for it.
    private static let candidateFactor = 4

    /// The findings of a trim so far.
    private struct Pass {
        let now: Double
        /// Among so many entries at least the oldest are chosen.
        let sampleCount: Int
        /// Whether more may have to go than what is not wanted any more.
        let mayEvict: Bool
        /// The entries that may be removed.
        var candidates: [DiskSurvey.Entry] = []
        /// The sum of the candidates.
        var gathered = DiskUsage()
        /// Whether some had to go that were still valid.
        var isEvicting = false
        /// Directories that something was removed from.
        var emptied: Set<String> = []
        var failure: FileSystemError?

        mutating func note(_ error: FileSystemError?) { failure = failure ?? error }

        /// Whether the oldest of the candidates are old enough, for so much to go.
        func hasEnough(for excess: DiskUsage) -> Bool {
            gathered.count >= max(sampleCount, DiskCache.candidateFactor * max(0, excess.count))
                && gathered.byteCount >= DiskCache.candidateFactor * max(0, excess.byteCount)
        }
    }

    /// Removes what has expired, then what is oldest, until no more than `byteCount` bytes are left. Also removes empty
    /// directories and what stands in the place of a directory or an entry and is none. Walks over the directory.
    ///
    /// Waits for a trim in the background to end. Throws when something could not be removed, having removed the rest.
    /// - Parameters:
    ///   - byteCount: How many bytes may be left.
    ///   - progress: Told how far it is, from 0 to 1, on this thread. It must not call the cache.
    public func trim(toByteCount byteCount: Int, progress: (Double) -> Void = { _ in }) throws {
        try checkDirectory(for: .store)
        let target = DiskUsage(byteCount: max(0, byteCount), count: .max)
        try report(trimmingQueue.sync { trim(to: target, whenAbove: target, visitsAll: true, progress) })
    }

    /// Removes what has expired. Walks over the directory.
    ///
    /// Reading and trimming do so too: only needed to give back room early. Waits and throws like
    /// `trim(toByteCount:progress:)`.
    public func removeExpired(progress: (Double) -> Void = { _ in }) throws {
        try trim(toByteCount: .max, progress: progress)
    }

    /// Returns when no trim in the background is waiting or running, and the other processes that share the directory
    /// have been told what was stored and how often an entry was found. For the end of a process that will not live
    /// long.
    public func waitForTrimming() {
        repeat { trimmingQueue.sync {} } while accounts.withLock({ $0.isUnderWay })
        trimmingQueue.sync {
            repeatSpoiledLooks()
            tellNews()
        }
    }

    /// Whether an entry is older than entries may be.
    func isTooOld(_ attributes: FileAttributes, at now: Double) -> Bool {
        guard let maxSeconds else { return false }
        return now - attributes.modificationTime > maxSeconds
    }

    /// Whether an entry has expired, by its age or by a date of its own.
    func hasExpired(_ path: String, _ attributes: FileAttributes, at now: Double) throws(FileSystemError) -> Bool {
        if isTooOld(attributes, at: now) { return true }
        // Only those with a date of their own are read-only; see the format.
        guard attributes.isReadOnly else { return false }
        return try dates(of: path)?.areOver(at: now) ?? false
    }

    /// Whether the time stamp of an entry lies ahead, as after a correction of the clock: the entry would never become
    /// old. Reading and every walk over the directory then set it to the present.
    func isAhead(_ attributes: FileAttributes, at now: Double) -> Bool {
        attributes.modificationTime - now >= useInterval
    }

    /// Sets the time stamp of an entry to the present where it lies ahead; returns whether it did.
    func correctStamp(of entry: inout DiskSurvey.Entry, at now: Double) throws(FileSystemError) -> Bool {
        guard isAhead(entry.attributes, at: now) else { return false }
        try files.setModificationTime(now, of: entry.path)
        entry.attributes.modificationTime = now
        return true
    }

    /// Whether no process will finish a file that was being written. A stamp that lies ahead is as old as one behind.
    func isLeftBehind(_ attributes: FileAttributes, at now: Double) -> Bool {
        abs(now - attributes.modificationTime) > Self.temporaryLifetime
    }

    /// Trims down to the low-water mark, at a cost in proportion to what is removed.
    func trimInBackground() {
        let problem = trim(
            to: configuration.lowWater, whenAbove: configuration.limits, visitsAll: false, { _ in })
        // Where nothing failed, what is too much was stored meanwhile, and goes the next time.
        accounts.withLock { $0.tolerateRest(problem == nil ? nil : configuration) }
        guard let problem else { return }
        onIssue(failure(problem, stage: .store, message: "the cache could not be trimmed"))
    }

    /// Removes what has expired and what was left behind in the shards that it visits and, when there is more than
    /// `limit`, what is oldest in them until there is no more than `target`. Returns the first failure. Called on its
    /// queue alone.
    private func trim(
        to target: DiskUsage, whenAbove limit: DiskUsage, visitsAll: Bool, _ progress: (Double) -> Void
    ) -> FileSystemError? {
        entries.reset()
        synchronizeLedger()
        var pass = Pass(
            now: time.wallTime(), sampleCount: configuration.sampleCount,
            mayEvict: target != DiskUsage(byteCount: .max, count: .max))
        pass.note(removeLeftovers(at: pass.now))
        let known = presentShards()
        pass.note(removeObstacles(known.obstacles))
        var shards = (0..<DiskLedger.shardCount).shuffled()
        while let shard = shards.popLast() {
            visit(look(at: shard, of: known), &pass)
            progress(0.5 * (1 - Double(shards.count) / Double(DiskLedger.shardCount)))
            let present = total
            guard shards.isEmpty || !visitsAll && pass.hasEnough(for: present - target) else { continue }
            guard pass.isEvicting || present.exceeds(limit) else { break }
            pass.isEvicting = true
            evict(downTo: target, whenAbove: limit, &pass, progress)
            if !total.exceeds(target) { break }
        }
        // Those of sources before those that they are in.
        for directory in pass.emptied.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            do throws(FileSystemError) {
                try files.removeDirectoryIfEmpty(directory)
            } catch {
                pass.note(error)
            }
        }
        synchronizeLedger()
        progress(1)
        return pass.failure
    }

    private var total: DiskUsage { accounts.withLock { $0.total } }

    /// Removes the oldest of the candidates; the newest, which may have been stored just now, only above `limit`.
    private func evict(
        downTo target: DiskUsage, whenAbove limit: DiskUsage, _ pass: inout Pass, _ progress: (Double) -> Void
    ) {
        pass.candidates.sort { $0.attributes.modificationTime > $1.attributes.modificationTime }
        let excess = max(1, total.byteCount - target.byteCount)
        // After so many one sees what others have removed meanwhile.
        let removalsBetweenLooks = max(1, configuration.sampleCount / 4)
        var removedCount = 0
        while total.exceeds(pass.candidates.count > 1 ? target : limit), let entry = pass.candidates.popLast() {
            pass.gathered -= entry.usage
            guard remove(entry, &pass) else { continue }
            counters.withLock { $0.evictions += 1 }
            removedCount += 1
            guard removedCount % removalsBetweenLooks == 0 else { continue }
            synchronizeLedger()
            progress(1 - 0.5 * min(1, Double(max(0, total.byteCount - target.byteCount)) / Double(excess)))
        }
    }

    /// Removes from a shard what is not wanted any more, and notes what may be removed.
    private func visit(_ survey: DiskSurvey, _ pass: inout Pass) {
        pass.note(survey.failure)
        pass.note(removeObstacles(survey.obstacles))
        pass.emptied.formUnion(survey.emptyDirectories)
        for var entry in survey.entries {
            // What cannot be read now is no more expired than it was; reading it will tell.
            let isExpired = (try? hasExpired(entry.path, entry.attributes, at: pass.now)) ?? false
            if isExpired {
                if remove(entry, &pass) { counters.withLock { $0.expirations += 1 } }
                continue
            }
            _ = try? correctStamp(of: &entry, at: pass.now)
            guard pass.mayEvict else { continue }
            pass.candidates.append(entry)
            pass.gathered += entry.usage
        }
        pass.note(removeLeftovers(in: survey, at: pass.now))
        pass.emptied.formUnion(survey.temporaries.map(\.directory))
        pass.note(removeStaleMarkers(in: survey))
    }

    /// Removes what was left behind while the ledger was written. Returns the first failure.
    func removeLeftovers(at now: Double) -> FileSystemError? {
        do throws(FileSystemError) {
            for item in try files.itemsIfPresent(inRoot: root)
            where DiskEntryName.isTemporary(item.name) && isLeftBehind(item.attributes, at: now) {
                try removeLeftover("\(root)/\(item.name)")
            }
            return nil
        } catch {
            return error
        }
    }

    /// Removes what was left behind while entries were written. Returns the first failure.
    func removeLeftovers(in survey: DiskSurvey, at now: Double) -> FileSystemError? {
        var problem: FileSystemError?
        for leftover in survey.temporaries where isLeftBehind(leftover.attributes, at: now) {
            do throws(FileSystemError) {
                try removeLeftover(leftover.path)
            } catch {
                problem = problem ?? error
            }
        }
        return problem
    }

    /// Removes a file that was left behind, and counts that.
    private func removeLeftover(_ path: String) throws(FileSystemError) {
        if try files.removeFileIfPresent(path) { accounts.withLock { $0.leftoverCount += 1 } }
    }

    /// Removes an entry; false if another process has, when it was stored anew or used since it was looked at, or when
    /// that could not be done, which is noted.
    private func remove(_ entry: DiskSurvey.Entry, _ pass: inout Pass) -> Bool {
        do throws(FileSystemError) {
            var isOurs = false
            if let present = try files.attributesIfPresent(of: entry.path) {
                guard entry.isSame(as: present) else { return false }
                isOurs = try files.removeFileIfPresent(entry.path)
            }
            pass.emptied.insert(entry.directory)
            accounts.withLock { accounts in
                // The process that removed it tells it.
                if isOurs {
                    accounts.add(DiskUsage() - entry.usage, to: entry.shard)
                } else {
                    accounts.forget(entry.usage, of: entry.shard)
                }
            }
            return isOurs
        } catch {
            pass.note(error)
            return false
        }
    }

    private func report(_ problem: FileSystemError?) throws {
        guard let problem else { return }
        throw failure(problem, stage: .store, message: "the cache could not be trimmed")
    }
}
