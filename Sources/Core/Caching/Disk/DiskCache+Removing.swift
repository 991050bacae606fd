extension DiskCache {
    public func remove(_ key: VariantKey) throws {
        entries.reset()
        try checkDirectory(for: .store)
        guard let name = try secretForRemoving().map({ key.diskName(under: $0) }) else { return }
        do throws(FileSystemError) {
            try clearPath(to: name.directory)
            try removeEntry(path(of: name), in: name.shard)
        } catch {
            throw failure(error, stage: .store, message: "the entry could not be removed")
        }
    }

    /// Removes the original and every variant of a source. Lists only the directory of the source.
    public func removeAll(of source: SourceKey) throws {
        try removeAll(of: source) { _ in "" }
    }

    /// Removes the original and every variant of a source that were fetched under a policy (``VariantKey/policy``).
    /// Lists only the directory of the source.
    public func removeAll(of source: SourceKey, under policy: String) throws {
        try removeAll(of: source) { secret in DiskEntryName.prefix(ofPolicy: policy, under: secret) }
    }

    /// Removes those entries of a source that have names with a given prefix.
    /// - Parameter prefix: Returns the prefix, given the secret of the directory.
    private func removeAll(of source: SourceKey, named prefix: (DirectorySecret) -> String) throws(ImageError) {
        entries.reset()
        try checkDirectory(for: .store)
        guard let secret = try secretForRemoving() else { return }
        let directory = DiskEntryName.directory(of: source, under: secret)
        do throws(FileSystemError) {
            try clearPath(to: directory)
            try removeEntries(
                in: "\(root)/\(directory)", shard: DiskEntryName.shard(of: directory), named: prefix(secret),
                withMarkers: true)
        } catch {
            throw failure(error, stage: .store, message: "the entries of a source could not be removed")
        }
    }

    /// Returns the secret of the directory; nil if there is none. Without a secret, no entry can be found by its key.
    func secretForRemoving() throws(ImageError) -> DirectorySecret? {
        do throws(FileSystemError) {
            return try keptSecret()
        } catch {
            throw failure(error, stage: .store, message: "the secret of the directory could not be read")
        }
    }

    /// Removes every entry that is older than `age`. The age counts from the event that ``Configuration/expiration``
    /// specifies. Lists the whole directory.
    public func removeAll(olderThan age: Duration) throws {
        try removeAll(olderThan: age) { _ in }
    }

    /// Removes every entry that is older than `age`. The age counts from the event that ``Configuration/expiration``
    /// specifies. Lists the whole directory.
    /// - Parameters:
    ///   - age: The maximum age of entries that remain.
    ///   - progress: Called with the progress, from 0 to 1, on the calling thread.
    public func removeAll(olderThan age: Duration, progress: (Double) -> Void) throws {
        entries.reset()
        try checkDirectory(for: .store)
        let now = time.wallTime()
        let horizon = now - age.seconds
        let present = presentShards()
        var problem = removeObstacles(present.obstacles)
        for shard in 0..<DiskLedger.shardCount {
            let survey = DiskSurvey(of: shard, among: present, in: root, files)
            problem = problem ?? survey.failure
            for var entry in survey.entries {
                _ = try? correctStamp(of: &entry, at: now)
                guard entry.attributes.modificationTime < horizon else { continue }
                do throws(FileSystemError) {
                    // Another process may have stored it again, or used it, since.
                    guard let present = try files.attributesIfPresent(of: entry.path),
                        present.modificationTime < horizon
                    else { continue }
                    try removeEntry(entry.path, in: shard)
                    try files.removeDirectoryIfEmpty(entry.directory)
                } catch {
                    problem = problem ?? error
                }
            }
            let failures = [
                removeObstacles(survey.obstacles), removeStaleMarkers(in: survey), removeEmptyDirectories(survey),
            ]
            problem = problem ?? failures.compactMap(\.self).first
            progress(Double(shard + 1) / Double(DiskLedger.shardCount))
        }
        writeLedger()
        guard let problem else { return }
        throw failure(problem, stage: .store, message: "some entries could not be removed")
    }

    public func clear() throws { try clear { _ in } }

    /// Removes all entries. Read-only directories remain unchanged.
    /// - Parameter progress: Called with the progress, from 0 to 1, on the calling thread.
    public func clear(progress: (Double) -> Void) throws {
        entries.reset()
        try checkDirectory(for: .store)
        let present = presentShards()
        var problem = removeObstacles(present.obstacles)
        for shard in 0..<DiskLedger.shardCount {
            do throws(FileSystemError) {
                if present.contains(shard) { try clear(shard) }
            } catch {
                problem = problem ?? error
            }
            progress(Double(shard + 1) / Double(DiskLedger.shardCount))
        }
        writeLedger()
        guard let problem else { return }
        throw failure(problem, stage: .store, message: "some entries could not be removed")
    }

    /// Removes the file of an entry with its markers of tags, and updates the usage of the shard. Also removes a
    /// directory that is in the place of the file.
    /// - Parameter digests: The digests of the entry's tags; nil to read them from the file.
    /// - Returns: Whether a file or directory was removed.
    @discardableResult
    func removeEntry(
        _ path: String, in shard: Int, tagged digests: [[UInt8]]? = nil
    ) throws(FileSystemError) -> Bool {
        let attributes = try? files.attributes(of: path)
        if attributes?.kind == .directory {
            try files.removeDirectoryWithItems(path)
            return true
        }
        let digests = digests ?? formerTagDigests(of: path, in: shard)
        guard try removeFile(path, of: attributes.map { DiskUsage(of: $0) } ?? DiskUsage(), in: shard) else {
            return false
        }
        // After the entry, so that a removal by tag misses no entry.
        removeMarkers(digests, ofFormer: path, in: shard)
        return true
    }

    /// Removes a file, and subtracts its usage from that of the shard. Returns false if there is no file.
    private func removeFile(_ path: String, of usage: DiskUsage, in shard: Int) throws(FileSystemError) -> Bool {
        beginChange(in: shard)
        defer { endChange(in: shard) }
        guard try files.removeFileIfPresent(path) else { return false }
        accounts.withLock { $0.add(DiskUsage() - usage, to: shard) }
        return true
    }

    /// Removes all entries, obstacles and markers of tags in a shard. Throws the first failure at the end.
    private func clear(_ shard: Int) throws(FileSystemError) {
        let path = "\(root)/\(DiskEntryName.shardName(shard))"
        let items = try files.itemsIfPresent(in: path)
        var problem = removeObstacles(items.compactMap { DiskObstacle(inPlaceOfDirectory: $0, in: path) })
        for item in items where item.attributes.kind == .directory && DiskEntryName.isDigest(item.name) {
            do throws(FileSystemError) {
                try removeEntries(in: "\(path)/\(item.name)", shard: shard, withMarkers: false)
            } catch {
                problem = problem ?? error
            }
        }
        // Last, so that a removal by tag misses no entry.
        do throws(FileSystemError) {
            try removeTags(in: shard)
        } catch {
            problem = problem ?? error
        }
        if let problem { throw problem }
    }

    /// Removes the files of the cache in a source's directory, and the directory if it is empty then.
    ///
    /// Files are removed one by one, because the directory may contain files that do not belong to the cache. An entry
    /// that is stored during the removal may remain.
    /// - Parameters:
    ///   - prefix: The prefix of the names of the entries to remove. If it is empty, temporary files are removed too.
    ///   - withMarkers: Whether to remove each entry's markers of tags with the entry. Pass false if the caller removes
    ///     all markers of the shard afterward.
    private func removeEntries(
        in directory: String, shard: Int, named prefix: String = "", withMarkers: Bool
    ) throws(FileSystemError) {
        let items = try files.itemsIfPresent(in: directory).filter { $0.name.hasPrefix(prefix) }
        var problem = removeObstacles(items.compactMap { DiskObstacle(inPlaceOfEntry: $0, in: directory) })
        for item in items
        where item.attributes.kind != .directory
            && (DiskEntryName.isDigest(item.name) || DiskEntryName.isTemporary(item.name))
        {
            let path = "\(directory)/\(item.name)"
            let isEntry = DiskEntryName.isDigest(item.name)
            let digests = isEntry && withMarkers ? formerTagDigests(of: path, in: shard) : []
            do throws(FileSystemError) {
                let usage = isEntry ? DiskUsage(of: item.attributes) : DiskUsage()
                guard try removeFile(path, of: usage, in: shard), isEntry else { continue }
                removeMarkers(digests, ofFormer: path, in: shard)
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        try files.removeDirectoryIfEmpty(directory)
    }
}
