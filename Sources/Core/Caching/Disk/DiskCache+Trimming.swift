import Dispatch

extension DiskCache {
    /// The time, in seconds, after which a file that is being written counts as abandoned.
    private static let temporaryLifetime = 3600.0
    /// The factor between the amount to remove and the amount that is examined for it.
    private static let candidateFactor = 4

    /// The state of a trim in progress.
    private struct Pass {
        let now: Double
        /// The minimum number of entries from which the oldest are chosen.
        let sampleCount: Int
        /// Whether valid entries may have to be removed.
        let mayEvict: Bool
        /// The entries that may be removed.
        var candidates: [DiskSurvey.Entry] = []
        /// The usage of the candidates.
        var gathered = DiskUsage()
        /// Whether valid entries have been removed.
        var isEvicting = false
        /// The directories from which something was removed.
        var emptied: Set<String> = []
        var failure: FileSystemError?

        mutating func note(_ error: FileSystemError?) { failure = failure ?? error }

        /// Returns whether there are enough candidates for the oldest of them to be old enough, given the excess to
        /// remove.
        func hasEnough(for excess: DiskUsage) -> Bool {
            gathered.count >= max(sampleCount, DiskCache.candidateFactor * max(0, excess.count))
                && gathered.byteCount >= DiskCache.candidateFactor * max(0, excess.byteCount)
        }
    }

    /// Removes expired entries, then the oldest ones, until at most `byteCount` bytes are left. Also removes empty
    /// directories, and obstacles in the place of directories and entries. Walks over the directory.
    ///
    /// Waits for a trim in the background to end. If something cannot be removed, removes the rest and then throws.
    /// - Parameters:
    ///   - byteCount: The maximum number of bytes to leave.
    ///   - progress: Called with the progress, from 0 to 1, on the calling thread. It must not call the cache.
    public func trim(toByteCount byteCount: Int, progress: (Double) -> Void = { _ in }) throws {
        try checkDirectory(for: .store)
        let target = DiskUsage(byteCount: max(0, byteCount), count: .max)
        try report(trimmingQueue.sync { trim(to: target, whenAbove: target, visitsAll: true, progress) })
    }

    /// Removes expired entries. Walks over the directory.
    ///
    /// Reading and trimming remove them too: call this only to free the room early. Waits and throws like
    /// ``trim(toByteCount:progress:)``.
    public func removeExpired(progress: (Double) -> Void = { _ in }) throws {
        try trim(toByteCount: .max, progress: progress)
    }

    /// Waits until no trim in the background is waiting or running, and the stores and reads of this process have been
    /// written to the ledger for other processes. Use it at the end of a short-lived process.
    public func waitForTrimming() {
        repeat { trimmingQueue.sync {} } while accounts.withLock({ $0.isUnderWay })
        trimmingQueue.sync {
            repeatSpoiledLooks()
            tellNews()
        }
    }

    /// Returns whether an entry exceeds the maximum age.
    func isTooOld(_ attributes: FileAttributes, at now: Double) -> Bool {
        guard let maxSeconds else { return false }
        return now - attributes.modificationTime > maxSeconds
    }

    /// Returns whether an entry has expired, by its age or by its expiration date.
    func hasExpired(_ path: String, _ attributes: FileAttributes, at now: Double) throws(FileSystemError) -> Bool {
        if isTooOld(attributes, at: now) { return true }
        // Only entries with an expiration date are read-only; see ``DiskEntryFormat``.
        guard attributes.isReadOnly else { return false }
        return try dates(of: path)?.areOver(at: now) ?? false
    }

    /// Returns whether the time stamp of an entry lies ahead, for example after a correction of the clock. Such an
    /// entry would never become old. Reads, and every walk over the directory, set the stamp to the present.
    func isAhead(_ attributes: FileAttributes, at now: Double) -> Bool {
        attributes.modificationTime - now >= useInterval
    }

    /// Sets the time stamp of an entry to the present if it lies ahead. Returns whether it did.
    func correctStamp(of entry: inout DiskSurvey.Entry, at now: Double) throws(FileSystemError) -> Bool {
        guard isAhead(entry.attributes, at: now) else { return false }
        try files.setModificationTime(now, of: entry.path)
        entry.attributes.modificationTime = now
        return true
    }

    /// Returns whether a file that was being written is abandoned. A time stamp that lies ahead by the same amount
    /// counts too.
    func isLeftBehind(_ attributes: FileAttributes, at now: Double) -> Bool {
        abs(now - attributes.modificationTime) > Self.temporaryLifetime
    }

    /// Trims down to the low-water mark, at a cost proportional to the amount removed.
    func trimInBackground() {
        let problem = trim(
            to: configuration.lowWater, whenAbove: configuration.limits, visitsAll: false, { _ in })
        // Without a failure, any excess was stored meanwhile, and is removed the next time.
        accounts.withLock { $0.tolerateRest(problem == nil ? nil : configuration) }
        guard let problem else { return }
        onIssue(failure(problem, stage: .store, message: "the cache could not be trimmed"))
    }

    /// Removes expired entries and abandoned files in the shards that it visits. If the usage exceeds `limit`, also
    /// removes the oldest entries in these shards until it is at most `target`. Returns the first failure. Called only
    /// on the queue for trimming.
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
        // Directories of sources are removed before those that contain them.
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

    /// Removes the oldest candidates. The newest one, which may just have been stored, is removed only above `limit`.
    private func evict(
        downTo target: DiskUsage, whenAbove limit: DiskUsage, _ pass: inout Pass, _ progress: (Double) -> Void
    ) {
        pass.candidates.sort { $0.attributes.modificationTime > $1.attributes.modificationTime }
        let excess = max(1, total.byteCount - target.byteCount)
        // The number of removals after which the ledger is read for removals by other processes.
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

    /// Removes expired entries and leftovers from a shard, and collects the candidates for eviction.
    private func visit(_ survey: DiskSurvey, _ pass: inout Pass) {
        pass.note(survey.failure)
        pass.note(removeObstacles(survey.obstacles))
        pass.emptied.formUnion(survey.emptyDirectories)
        for var entry in survey.entries {
            // An entry whose date cannot be read is not treated as expired. Reading it will tell.
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

    /// Removes abandoned files of the ledger. Returns the first failure.
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

    /// Removes abandoned files of entries. Returns the first failure.
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

    /// Removes an abandoned file, and counts the removal.
    private func removeLeftover(_ path: String) throws(FileSystemError) {
        if try files.removeFileIfPresent(path) { accounts.withLock { $0.leftoverCount += 1 } }
    }

    /// Removes an entry. Returns false if another process has removed it, if it was stored again or used since it was
    /// found, or if it cannot be removed. The last case is noted as a failure.
    private func remove(_ entry: DiskSurvey.Entry, _ pass: inout Pass) -> Bool {
        do throws(FileSystemError) {
            var isOurs = false
            if let present = try files.attributesIfPresent(of: entry.path) {
                guard entry.isSame(as: present) else { return false }
                isOurs = try files.removeFileIfPresent(entry.path)
            }
            pass.emptied.insert(entry.directory)
            accounts.withLock { accounts in
                // The process that removed the entry writes this to the ledger.
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
