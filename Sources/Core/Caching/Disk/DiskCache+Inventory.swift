extension DiskCache {
    /// Returns the number of entries, including those that have expired but have not been removed. Lists the whole
    /// directory.
    public func totalCount() throws -> Int { try count().count }

    /// Returns the total size of all entries' files, in bytes, including those that have expired but have not been
    /// removed. Lists the whole directory.
    public func totalByteCount() throws -> Int { try count().byteCount }

    /// Returns an inventory of the cache. Lists the whole directory.
    /// - Parameters:
    ///   - largestCount: The maximum number of entries in ``DiskInventory/largest``. Default: 5.
    ///   - progress: Called with the progress, from 0 to 1, on the calling thread.
    public func inventory(
        largestCount: Int = 5, progress: (Double) -> Void = { _ in }
    ) throws -> DiskInventory {
        try checkDirectory(for: .query)
        writeLedger()
        let now = time.wallTime()
        var inventory = DiskInventory()
        var largest: [DiskSurvey.Entry] = []
        let usage = try forEachShard { survey in
            for entry in survey.entries {
                let stamp = min(entry.attributes.modificationTime, now)
                inventory.oldest = min(inventory.oldest ?? stamp, stamp)
                inventory.newest = max(inventory.newest ?? stamp, stamp)
                if (try? hasExpired(entry.path, entry.attributes, at: now)) == true { inventory.expiredCount += 1 }
            }
            largest = (largest + survey.entries).sorted { $0.attributes.byteCount > $1.attributes.byteCount }
            largest.removeLast(max(0, largest.count - max(0, largestCount)))
            progress(Double(survey.shard + 1) / Double(DiskLedger.shardCount))
        }
        inventory.entryCount = usage.count
        inventory.byteCount = usage.byteCount
        inventory.largest = largest.map { entry in
            DiskInventory.Item(path: entry.path, byteCount: entry.attributes.byteCount, key: key(of: entry))
        }
        let (hits, misses) = accounts.withLock { ($0.ledger?.hits ?? 0, $0.ledger?.misses ?? 0) }
        inventory.hits = hits
        inventory.misses = misses
        return inventory
    }

    private func count() throws -> DiskUsage {
        try checkDirectory(for: .query)
        return try forEachShard { _ in }
    }

    /// Calls `body` with the files of every shard, and returns the total usage. If a shard cannot be listed, continues,
    /// and throws the first failure at the end.
    private func forEachShard(_ body: (DiskSurvey) -> Void) throws -> DiskUsage {
        var usage = DiskUsage()
        var problem: FileSystemError?
        let present = presentShards()
        for shard in 0..<DiskLedger.shardCount {
            let survey = DiskSurvey(of: shard, among: present, in: root, files)
            usage += survey.usage
            problem = problem ?? survey.failure
            body(survey)
        }
        guard let problem else { return usage }
        throw failure(problem, stage: .query, message: "the entries of the cache could not be counted")
    }

    /// Returns the key in an entry's file, without its secret values. Returns nil if this cache cannot read the entry.
    private func key(of entry: DiskSurvey.Entry) -> VariantKey? {
        let name = String(entry.path.dropFirst(root.count + 1))
        guard let file = try? files.contents(of: name, in: entries, byteLimit: configuration.byteLimit).data else {
            return nil
        }
        return (try? DiskEntryFormat.parse(file, transform: transform))?.key
    }
}
