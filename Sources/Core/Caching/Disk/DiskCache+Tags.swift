#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The number of bytes at the end of an entry that nearly always hold its tags and dates.
    private static let trailerByteCount = 4096

    /// Removes every entry that carries a tag, at a cost in proportion to their number (and to a look into each of 256
    /// directories).
    public func removeAll(tagged tag: String) throws {
        let now = time.wallTime()
        entries.reset()
        try checkDirectory(for: .store)
        guard let secret = try secretForRemoving() else { return }
        let digest = secret.digest(ofTag: tag)
        let present = presentShards()
        var problem: FileSystemError?
        for shard in 0..<DiskLedger.shardCount where present.contains(shard) {
            let directory = tagDirectory(digest, in: shard)
            do throws(FileSystemError) {
                let items = try files.itemsIfPresent(in: directory)
                // What a link led to is somebody else's, and which entries carry the tag is not known then.
                if !items.isEmpty, let link = try obstacle(onPath: name(of: directory)) {
                    throw FileSystemError(code: ELOOP, operation: "list", path: link)
                }
                for item in items where DiskEntryName.isMarker(item.name) {
                    let marker = DiskTagMarker(directory: directory, name: item.name)
                    do throws(FileSystemError) {
                        let isNew = !isLeftBehind(item.attributes, at: now)
                        try removeEntry(of: marker, ifTagged: digest, in: shard, isNew: isNew)
                    } catch {
                        problem = problem ?? error
                    }
                }
                if !items.isEmpty { try files.removeDirectoryIfEmpty(directory) }
            } catch {
                problem = problem ?? error
            }
        }
        guard let problem else { return }
        throw failure(problem, stage: .store, message: "some entries with the tag '\(tag)' could not be removed")
    }

    /// The markers of an entry that carries tags.
    func markers(for tags: Set<String>, of name: DiskEntryName) -> [DiskTagMarker] {
        tags.map { tag in marker(name.secret.digest(ofTag: tag), of: name) }
    }

    func marker(_ digest: [UInt8], of name: DiskEntryName) -> DiskTagMarker {
        DiskTagMarker(directory: tagDirectory(digest, in: name.shard), name: "\(name.directory.suffix(32))\(name.file)")
    }

    /// The digests of the tags of an entry that is about to be removed or replaced; none where they cannot be told.
    func formerTagDigests(of path: String, in shard: Int) -> [[UInt8]] {
        // Where nothing is tagged, as in most caches, no entry need be opened.
        guard (try? files.attributesIfPresent(of: tagsDirectory(in: shard))?.kind) == .directory else { return [] }
        return (try? tagDigests(of: path)) ?? []
    }

    /// Removes the markers of an entry that is gone, or that no longer carries some tags: else those of a key that is
    /// stored again and again with other tags would become more and more. What fails is left to a trim.
    func removeMarkers(_ digests: [[UInt8]], ofFormer path: String, in shard: Int) {
        for digest in digests {
            let name = "\(path.suffix(65).prefix(32))\(path.suffix(32))"
            let marker = DiskTagMarker(directory: tagDirectory(digest, in: shard), name: name)
            guard (try? remove(marker, in: shard)) == true else { continue }
            try? files.removeDirectoryIfEmpty(marker.directory)
        }
    }

    /// Removes the markers in a shard whose entry is gone, and counts that: those that a trim removed leave theirs
    /// behind, and what could not be removed in time. Returns the first failure.
    func removeStaleMarkers(in survey: DiskSurvey) -> FileSystemError? {
        guard survey.hasTags, survey.failure == nil else { return nil }
        let present = Set(survey.entries.map(\.marker))
        do throws(FileSystemError) {
            let directory = tagsDirectory(in: survey.shard)
            let items = try files.itemsIfPresent(in: directory)
            let problem = removeObstacles(items.compactMap { DiskObstacle(inPlaceOfDirectory: $0, in: directory) })
            if let problem { throw problem }
            for tagDirectory in try tagDirectories(in: survey.shard) {
                for item in try files.itemsIfPresent(in: tagDirectory)
                where isStale(item.name, item.attributes, beside: present) {
                    let isRemoved = try remove(
                        DiskTagMarker(directory: tagDirectory, name: item.name), in: survey.shard)
                    if isRemoved { accounts.withLock { $0.leftoverCount += 1 } }
                }
                try files.removeDirectoryIfEmpty(tagDirectory)
            }
            try files.removeDirectoryIfEmpty(directory)
            return nil
        } catch {
            return error
        }
    }

    /// Removes all markers in a shard but those of entries that are there, and what stands in the place of a tag's
    /// directory.
    func removeTags(in shard: Int) throws(FileSystemError) {
        let tags = tagsDirectory(in: shard)
        guard try files.attributesIfPresent(of: tags)?.kind == .directory else { return }
        let items = try files.itemsIfPresent(in: tags)
        let problem = removeObstacles(items.compactMap { DiskObstacle(inPlaceOfDirectory: $0, in: tags) })
        for item in items where item.attributes.kind == .directory && DiskEntryName.isDigest(item.name) {
            let directory = "\(tags)/\(item.name)"
            for item in try files.itemsIfPresent(in: directory)
            where DiskEntryName.isMarker(item.name) || DiskEntryName.isTemporary(item.name) {
                try remove(DiskTagMarker(directory: directory, name: item.name), in: shard)
            }
            try files.removeDirectoryIfEmpty(directory)
        }
        try files.removeDirectoryIfEmpty(tags)
        if let problem { throw problem }
    }

    /// The directories of the tags in a shard.
    func tagDirectories(in shard: Int) throws(FileSystemError) -> [String] {
        let directory = tagsDirectory(in: shard)
        guard try files.attributesIfPresent(of: directory)?.kind == .directory else { return [] }
        return try files.itemsIfPresent(in: directory)
            .filter { $0.attributes.kind == .directory && DiskEntryName.isDigest($0.name) }
            .map { "\(directory)/\($0.name)" }
    }

    private func tagsDirectory(in shard: Int) -> String {
        "\(root)/\(DiskEntryName.shardName(shard))/\(DiskEntryName.tags)"
    }

    /// Whether a file in a tag's directory serves no entry. A marker that is new may be one whose entry is being
    /// written.
    private func isStale(_ name: String, _ attributes: FileAttributes, beside present: Set<String>) -> Bool {
        guard DiskEntryName.isMarker(name) ? !present.contains(name) : DiskEntryName.isTemporary(name) else {
            return false
        }
        return isLeftBehind(attributes, at: time.wallTime())
    }

    func tagDirectory(_ digest: [UInt8], in shard: Int) -> String {
        "\(tagsDirectory(in: shard))/\(DiskEntryName.tag(digest))"
    }

    /// Removes the entry of a marker and then the marker. An entry that was stored again without the tag stays.
    /// - Parameter isNew: Whether the marker may be one whose entry is being written: without that entry it stays.
    private func removeEntry(
        of marker: DiskTagMarker, ifTagged digest: [UInt8], in shard: Int, isNew: Bool
    ) throws(FileSystemError) {
        let path = path(ofEntryOf: marker, in: shard)
        let isReached = try obstacle(onPath: name(of: Self.parent(of: path))) == nil
        if isReached, let digests = try tagDigests(of: path), digests.contains(digest) {
            try removeEntry(path, in: shard, tagged: digests.filter { $0 != digest })
            try files.removeDirectoryIfEmpty(Self.parent(of: path))
        } else if isNew {
            return
        }
        try remove(marker, in: shard)
    }

    /// Removes a marker whose entry is gone or does not carry the tag, or what is left of one that was being written;
    /// false when it is there to stay.
    @discardableResult
    private func remove(_ marker: DiskTagMarker, in shard: Int) throws(FileSystemError) -> Bool {
        guard DiskEntryName.isMarker(marker.name) else { return try files.removeFileIfPresent(marker.path) }
        // Another process may have stored the entry since.
        if try isNeeded(marker, in: shard) { return false }
        guard try files.removeFileIfPresent(marker.path) else { return false }
        // Or just now, and seen the marker before it was removed.
        guard try isNeeded(marker, in: shard) else { return true }
        try restore(marker, at: time.wallTime())
        return false
    }

    /// Whether the entry of a marker is there and carries the tag.
    private func isNeeded(_ marker: DiskTagMarker, in shard: Int) throws(FileSystemError) -> Bool {
        guard let digests = try tagDigests(of: path(ofEntryOf: marker, in: shard)) else { return false }
        return digests.contains { marker.directory.hasSuffix("/\(DiskEntryName.tag($0))") }
    }

    private func path(ofEntryOf marker: DiskTagMarker, in shard: Int) -> String {
        "\(root)/\(DiskEntryName.shardName(shard))/\(marker.name.prefix(32))/\(marker.name.suffix(32))"
    }

    /// The digests of an entry's tags; nil when there is none, or none that is whole enough to be answered.
    private func tagDigests(of path: String) throws(FileSystemError) -> [[UInt8]]? {
        do throws(FileSystemError) {
            return try trailer(of: path).flatMap { DiskEntryFormat.tagDigests(inTrailer: $0) }
        } catch {
            if error.isAbsence { return nil }
            throw error
        }
    }

    /// Returns when an entry was written and when it expires, unverified; nil when that cannot be told.
    func dates(of path: String) throws(FileSystemError) -> DiskEntryFormat.Dates? {
        try trailer(of: path).flatMap { DiskEntryFormat.dates(inTrailer: $0) }
    }

    /// Returns body and footer of an entry's file, unverified; nil when it is no entry.
    private func trailer(of path: String) throws(FileSystemError) -> Data? {
        var tail = try files.tail(of: path, byteCount: Self.trailerByteCount)
        guard let byteCount = DiskEntryFormat.trailerByteCount(inTail: tail) else { return nil }
        // Reading finds it damaged: no entry that is whole has so much.
        guard byteCount <= configuration.byteLimit else { return nil }
        if byteCount > tail.count { tail = try files.tail(of: path, byteCount: byteCount) }
        return tail.suffix(byteCount)
    }
}
