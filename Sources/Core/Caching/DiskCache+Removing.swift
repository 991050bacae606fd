extension DiskCache {
    public func remove(_ key: VariantKey) throws {
        entries.reset()
        guard let name = try secretForRemoving().map({ key.diskName(under: $0) }) else { return }
        do throws(FileSystemError) {
            try removeEntry(path(of: name), in: name.shard)
        } catch {
            throw failure(error, stage: .store, message: "the entry could not be removed")
        }
    }

    /// Removes the original and every variant of a source, by a look into one folder.
    public func removeAll(of source: SourceKey) throws {
        try removeAll(of: source) { _ in "" }
    }

    /// Removes the original and every variant of a source that were fetched under a policy, likewise.
    public func removeAll(of source: SourceKey, under policy: String) throws {
        try removeAll(of: source) { secret in DiskEntryName.prefix(ofPolicy: policy, under: secret) }
    }

    /// - Parameter prefix: What the names of those that go begin with.
    private func removeAll(of source: SourceKey, named prefix: (FolderSecret) -> String) throws(ImageError) {
        entries.reset()
        guard let secret = try secretForRemoving() else { return }
        let folder = DiskEntryName.folder(of: source, under: secret)
        do throws(FileSystemError) {
            try removeEntries(
                in: "\(root)/\(folder)", shard: DiskEntryName.shard(of: folder), named: prefix(secret),
                withMarkers: true)
        } catch {
            throw failure(error, stage: .store, message: "the entries of a source could not be removed")
        }
    }

    /// The secret of the folder; nil where it has none, and so nothing to be removed by its key.
    func secretForRemoving() throws(ImageError) -> FolderSecret? {
        do throws(FileSystemError) {
            return try entries.readSecret(files)
        } catch {
            throw failure(error, stage: .store, message: "the secret of the folder could not be read")
        }
    }

    /// Removes every entry that is older than `age`, as ``Configuration/expiration`` counts age. Walks over the folder.
    public func removeAll(olderThan age: Duration) throws {
        try removeAll(olderThan: age) { _ in }
    }

    /// The same, telling how far it is, from 0 to 1.
    public func removeAll(olderThan age: Duration, progress: (Double) -> Void) throws {
        entries.reset()
        let horizon = time.wallTime() - age.seconds
        let present = DiskShards(in: root, files)
        var problem: FileSystemError?
        for shard in 0..<DiskLedger.shardCount {
            let survey = DiskSurvey(of: shard, among: present, in: root, files)
            problem = problem ?? survey.failure
            for entry in survey.entries where entry.attributes.modificationTime < horizon {
                do throws(FileSystemError) {
                    // Somebody may have stored it anew since, or used it.
                    guard let present = try files.attributesIfPresent(of: entry.path),
                        present.modificationTime < horizon
                    else { continue }
                    try removeEntry(entry.path, in: shard)
                    try files.removeFolderIfEmpty(entry.folder)
                } catch {
                    problem = problem ?? error
                }
            }
            progress(Double(shard + 1) / Double(DiskLedger.shardCount))
        }
        writeLedger()
        guard let problem else { return }
        throw failure(problem, stage: .store, message: "some entries could not be removed")
    }

    public func clear() throws { try clear { _ in } }

    /// Removes all entries, telling how far it is, from 0 to 1. What read-only folders have stays.
    public func clear(progress: (Double) -> Void) throws {
        entries.reset()
        let present = DiskShards(in: root, files)
        var problem: FileSystemError?
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

    /// Removes the file of an entry and counts that; false when there was none.
    /// - Parameter digests: The digests of its tags, where they are known: their markers go with it.
    @discardableResult
    func removeEntry(
        _ path: String, in shard: Int, tagged digests: [[UInt8]]? = nil
    ) throws(FileSystemError) -> Bool {
        let attributes = try? files.attributes(of: path)
        let digests = digests ?? formerTagDigests(of: path, in: shard)
        guard try files.removeFileIfPresent(path) else { return false }
        if let attributes { accounts.withLock { $0.add(DiskUsage() - DiskUsage(of: attributes), to: shard) } }
        // After the entry, so that none with a tag is there that a purge would not find.
        removeMarkers(digests, ofFormer: path, in: shard)
        return true
    }

    private func clear(_ shard: Int) throws(FileSystemError) {
        let path = "\(root)/\(DiskEntryName.shardName(shard))"
        var problem: FileSystemError?
        for item in try files.itemsIfPresent(in: path)
        where item.attributes.kind == .folder && DiskEntryName.isDigest(item.name) {
            do throws(FileSystemError) {
                try removeEntries(in: "\(path)/\(item.name)", shard: shard, withMarkers: false)
            } catch {
                problem = problem ?? error
            }
        }
        // Last, so that no entry with a tag is there that a purge would not find.
        do throws(FileSystemError) {
            try removeTags(in: shard)
        } catch {
            problem = problem ?? error
        }
        if let problem { throw problem }
    }

    /// Removes a source's folder with everything in it that is the cache's.
    ///
    /// File by file, rather than moving the folder out of sight first: what is not the cache's stays where it is, and
    /// nothing needs clearing away if the process ends halfway. Who stores meanwhile stores after the removal.
    /// - Parameters:
    ///   - prefix: What the names of those that go begin with. Empty: all go, and what is being written.
    ///   - withMarkers: Whether the markers of each entry go with it, rather than all of a shard later.
    private func removeEntries(
        in folder: String, shard: Int, named prefix: String = "", withMarkers: Bool
    ) throws(FileSystemError) {
        var problem: FileSystemError?
        for item in try files.itemsIfPresent(in: folder)
        where item.attributes.kind != .folder && item.name.hasPrefix(prefix)
            && (DiskEntryName.isDigest(item.name) || DiskEntryName.isTemporary(item.name))
        {
            let path = "\(folder)/\(item.name)"
            let isEntry = DiskEntryName.isDigest(item.name)
            let digests = isEntry && withMarkers ? formerTagDigests(of: path, in: shard) : []
            do throws(FileSystemError) {
                guard try files.removeFileIfPresent(path), isEntry else { continue }
                accounts.withLock { $0.add(DiskUsage() - DiskUsage(of: item.attributes), to: shard) }
                removeMarkers(digests, ofFormer: path, in: shard)
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        try files.removeFolderIfEmpty(folder)
    }
}
