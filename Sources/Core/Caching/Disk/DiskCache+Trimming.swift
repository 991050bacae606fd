import Dispatch

extension DiskCache {
    /// The time since the last write, in seconds, after which a file that was being written counts as abandoned.
    private static let temporaryLifetime = 3600.0
    /// The minimum ratio between the usage of the entries that a trim examines and the usage that it must remove.
    private static let candidateFactor = 4

    /// The state of a trim in progress.
    private struct Pass {
        /// The time at which the trim began, in seconds since 1970.
        let now: Double
        /// The minimum number of candidates that the trim gathers before it evicts the oldest of them.
        let sampleCount: Int
        /// Whether the trim may remove entries that have not expired. False if the trim has no target for the usage.
        let mayEvict: Bool
        /// The entries that have been examined and may be evicted.
        var candidates: [DiskSurvey.Entry] = []
        /// The total usage of the candidates.
        var gathered = DiskUsage()
        /// Whether the trim has begun to evict entries that have not expired.
        var isEvicting = false
        /// The paths of the directories that may be empty, because something was removed from them.
        var emptied: Set<String> = []
        /// The first failure; nil if there was none.
        var failure: FileSystemError?

        /// Notes a failure, unless one was noted before.
        mutating func note(_ error: FileSystemError?) { failure = failure ?? error }

        /// Returns whether there are enough candidates: the oldest are then probably among the oldest of all entries.
        /// - Parameter excess: The usage to remove.
        func hasEnough(for excess: DiskUsage) -> Bool {
            gathered.count >= max(sampleCount, DiskCache.candidateFactor * max(0, excess.count))
                && gathered.byteCount >= DiskCache.candidateFactor * max(0, excess.byteCount)
        }
    }

    /// Removes all expired entries, and then the oldest of the other entries until the files have at most `byteCount`
    /// bytes. Also removes empty directories, and the obstacles described at ``verify(progress:)``. Lists the whole
    /// directory.
    ///
    /// Waits for a trim in the background to end. If something cannot be removed, removes the rest and then throws.
    /// - Parameters:
    ///   - byteCount: The maximum total size of the files that remain, in bytes.
    ///   - progress: Called with the progress, from 0 to 1, on the calling thread. It must not call the cache.
    public func trim(toByteCount byteCount: Int, progress: (Double) -> Void = { _ in }) throws {
        try checkDirectory(for: .store)
        let target = DiskUsage(byteCount: max(0, byteCount), count: .max)
        try report(trimmingQueue.sync { trim(to: target, whenAbove: target, visitsAll: true, progress) })
    }

    /// Removes expired entries. Lists the whole directory.
    ///
    /// An expired entry is also removed when it is read, and by trims. Call this method only to free the space earlier.
    /// Waits for a trim in the background to end. If something cannot be removed, removes the rest and then throws.
    /// - Parameter progress: Called with the progress, from 0 to 1, on the calling thread. It must not call the cache.
    public func removeExpired(progress: (Double) -> Void = { _ in }) throws {
        try trim(toByteCount: .max, progress: progress)
    }

    /// Waits until all maintenance of the directory in the background has ended. Then adds the changes and reads by
    /// this process to the ledger, the file through which the processes that share the directory exchange its usage.
    /// Call this method at the end of a short-lived process.
    public func waitForTrimming() {
        repeat { trimmingQueue.sync {} } while accounts.withLock({ $0.isUnderWay })
        trimmingQueue.sync {
            repeatSpoiledLooks()
            tellNews()
        }
    }

    /// Returns whether an entry exceeds the maximum age of the configuration.
    /// - Parameter now: The present, in seconds since 1970.
    func isTooOld(_ attributes: FileAttributes, at now: Double) -> Bool {
        guard let maxSeconds else { return false }
        return now - attributes.modificationTime > maxSeconds
    }

    /// Returns whether an entry has exceeded the maximum age or its expiration date, or has a meaningless expiration
    /// date as described at ``DiskEntryFormat/Dates/areAhead(at:)``.
    /// - Parameter now: The present, in seconds since 1970.
    func hasExpired(_ path: String, _ attributes: FileAttributes, at now: Double) throws(FileSystemError) -> Bool {
        if isTooOld(attributes, at: now) { return true }
        // Only entries with an expiration date are read-only; see ``DiskEntryFormat``.
        guard attributes.isReadOnly else { return false }
        return try dates(of: path)?.areOver(at: now) ?? false
    }

    /// Returns whether the modification time of an entry's file lies in the future, for example after the clock was set
    /// back. The time must then be set to the present, because the entry would otherwise live too long.
    ///
    /// A time less than ``useInterval`` seconds in the future is accepted, because clocks differ.
    func isAhead(_ attributes: FileAttributes, at now: Double) -> Bool {
        attributes.modificationTime - now >= useInterval
    }

    /// Sets the modification time of an entry's file to the present if it lies in the future. Returns whether it was
    /// set.
    func correctStamp(of entry: inout DiskSurvey.Entry, at now: Double) throws(FileSystemError) -> Bool {
        guard isAhead(entry.attributes, at: now) else { return false }
        try files.setModificationTime(now, of: entry.path)
        entry.attributes.modificationTime = now
        return true
    }

    /// Returns whether an unfinished file is abandoned: its modification time is over an hour in the past or future.
    func isLeftBehind(_ attributes: FileAttributes, at now: Double) -> Bool {
        abs(now - attributes.modificationTime) > Self.temporaryLifetime
    }

    /// Trims down to the low-water mark, at a cost proportional to the amount removed. Passes a failure to `onIssue`.
    func trimInBackground() {
        let problem = trim(
            to: configuration.lowWater, whenAbove: configuration.limits, visitsAll: false, { _ in })
        // Without a failure, any remaining excess was stored during the trim, and is removed the next time.
        accounts.withLock { $0.tolerateRest(problem == nil ? nil : configuration) }
        guard let problem else { return }
        onIssue(failure(problem, stage: .store, message: "the cache could not be trimmed"))
    }

    /// Removes expired entries and abandoned files. If the usage exceeds `limit`, also removes the oldest entries until
    /// the usage is at most `target`. Called only on ``trimmingQueue``.
    /// - Parameters:
    ///   - visitsAll: Whether to visit all shards, instead of only as many as are needed to find enough old entries.
    ///   - progress: Called with the progress, from 0 to 1.
    /// - Returns: The first failure; nil if there was none.
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

    /// The present usage of the directory, as far as the cache knows it.
    private var total: DiskUsage { accounts.withLock { $0.total } }

    /// Removes the oldest candidates until the usage is at most `target`. The newest candidate, which may just have
    /// been stored, is removed only if the usage still exceeds `limit`.
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

    /// Removes the expired entries, abandoned files and obstacles of a shard, and adds its other entries to the
    /// candidates for eviction.
    private func visit(_ survey: DiskSurvey, _ pass: inout Pass) {
        pass.note(survey.failure)
        pass.note(removeObstacles(survey.obstacles))
        pass.emptied.formUnion(survey.emptyDirectories)
        for var entry in survey.entries {
            // An entry whose date cannot be read is not treated as expired. A later read finds out.
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

    /// Removes abandoned temporary files of the ledger and the secret. Returns the failure that ended this, if any.
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

    /// Removes abandoned temporary files of entries in a shard. Returns the first failure; nil if there was none.
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

    /// Removes an abandoned file, and counts it as a leftover that was removed.
    private func removeLeftover(_ path: String) throws(FileSystemError) {
        if try files.removeFileIfPresent(path) { accounts.withLock { $0.leftoverCount += 1 } }
    }

    /// Removes an entry, and returns whether this call removed it. An entry that was stored again or used since it was
    /// found remains. A failure is noted in `pass`.
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
