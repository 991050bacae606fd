#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The number of bytes to read first from the end of an entry's file. They nearly always contain its tags and
    /// dates.
    private static let trailerByteCount = 4096

    /// Removes every entry that has a tag. The cost is proportional to the number of these entries, plus the listing of
    /// one directory in each of up to 256 shards.
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
                // Markers behind a link do not belong to the cache, so it is not known which entries have the tag.
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

    /// Returns the markers of an entry for a set of tags, one for each tag.
    func markers(for tags: Set<String>, of name: DiskEntryName) -> [DiskTagMarker] {
        tags.map { tag in marker(name.secret.digest(ofTag: tag), of: name) }
    }

    /// Returns the marker of an entry for a tag, given the digest of the tag.
    func marker(_ digest: [UInt8], of name: DiskEntryName) -> DiskTagMarker {
        DiskTagMarker(directory: tagDirectory(digest, in: name.shard), name: "\(name.directory.suffix(32))\(name.file)")
    }

    /// Returns the digests of an entry's tags. Returns an empty array if it has none, or if they cannot be read.
    func formerTagDigests(of path: String, in shard: Int) -> [[UInt8]] {
        // Without a directory for tags, as in most caches, no entry need be opened.
        guard (try? files.attributesIfPresent(of: tagsDirectory(in: shard))?.kind) == .directory else { return [] }
        return (try? tagDigests(of: path)) ?? []
    }

    /// Removes the markers of tags that an entry no longer has, so that they do not accumulate. A marker that cannot be
    /// removed is left for a later trim or removal by tag.
    /// - Parameters:
    ///   - digests: The digests of the tags.
    ///   - path: The path of the entry's file, which may have been removed.
    func removeMarkers(_ digests: [[UInt8]], ofFormer path: String, in shard: Int) {
        for digest in digests {
            let name = "\(path.suffix(65).prefix(32))\(path.suffix(32))"
            let marker = DiskTagMarker(directory: tagDirectory(digest, in: shard), name: name)
            guard (try? remove(marker, in: shard)) == true else { continue }
            try? files.removeDirectoryIfEmpty(marker.directory)
        }
    }

    /// Removes the markers in a shard that belong to no existing entry. A trim leaves them behind when it removes
    /// entries. Also removes abandoned temporary files. Files that are less than an hour old remain.
    /// - Returns: The failure that ended the removal; nil if there was none.
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

    /// Removes all files of the cache from a shard's directory for tags, except the markers of existing entries.
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

    /// Returns the paths of the tags' directories in a shard.
    func tagDirectories(in shard: Int) throws(FileSystemError) -> [String] {
        let directory = tagsDirectory(in: shard)
        guard try files.attributesIfPresent(of: directory)?.kind == .directory else { return [] }
        return try files.itemsIfPresent(in: directory)
            .filter { $0.attributes.kind == .directory && DiskEntryName.isDigest($0.name) }
            .map { "\(directory)/\($0.name)" }
    }

    /// Returns the path of the directory in a shard that contains the tags' directories.
    private func tagsDirectory(in shard: Int) -> String {
        "\(root)/\(DiskEntryName.shardName(shard))/\(DiskEntryName.tags)"
    }

    /// Returns whether a file in a tag's directory is a temporary file or a marker without an entry, and more than an
    /// hour old. The entry of a newer marker may be about to be written.
    /// - Parameter present: The names of the markers whose entries exist.
    private func isStale(_ name: String, _ attributes: FileAttributes, beside present: Set<String>) -> Bool {
        guard DiskEntryName.isMarker(name) ? !present.contains(name) : DiskEntryName.isTemporary(name) else {
            return false
        }
        return isLeftBehind(attributes, at: time.wallTime())
    }

    /// Returns the path of a tag's directory in a shard, given the digest of the tag.
    func tagDirectory(_ digest: [UInt8], in shard: Int) -> String {
        "\(tagsDirectory(in: shard))/\(DiskEntryName.tag(digest))"
    }

    /// Removes the entry of a marker, and then the marker. An entry that has been stored again without the tag remains.
    /// - Parameters:
    ///   - digest: The digest of the tag.
    ///   - isNew: Whether the entry may be about to be written. Without an entry that has the tag, a new marker
    ///     remains.
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

    /// Removes a temporary file or a marker. A marker remains if its entry exists and has the tag. Returns whether this
    /// call removed the file.
    @discardableResult
    private func remove(_ marker: DiskTagMarker, in shard: Int) throws(FileSystemError) -> Bool {
        guard DiskEntryName.isMarker(marker.name) else { return try files.removeFileIfPresent(marker.path) }
        // Another process may have stored the entry since.
        if try isNeeded(marker, in: shard) { return false }
        guard try files.removeFileIfPresent(marker.path) else { return false }
        // Another process may have stored the entry just now, and have seen the marker before it was removed.
        guard try isNeeded(marker, in: shard) else { return true }
        try restore(marker, at: time.wallTime())
        return false
    }

    /// Returns whether the entry of a marker exists and has the tag.
    private func isNeeded(_ marker: DiskTagMarker, in shard: Int) throws(FileSystemError) -> Bool {
        guard let digests = try tagDigests(of: path(ofEntryOf: marker, in: shard)) else { return false }
        return digests.contains { marker.directory.hasSuffix("/\(DiskEntryName.tag($0))") }
    }

    /// Returns the path of the entry to which a marker belongs.
    private func path(ofEntryOf marker: DiskTagMarker, in shard: Int) -> String {
        "\(root)/\(DiskEntryName.shardName(shard))/\(marker.name.prefix(32))/\(marker.name.suffix(32))"
    }

    /// Returns the digests of an entry's tags. Returns nil if there is no entry, or if its tags cannot be read.
    private func tagDigests(of path: String) throws(FileSystemError) -> [[UInt8]]? {
        do throws(FileSystemError) {
            return try trailer(of: path).flatMap { DiskEntryFormat.tagDigests(inTrailer: $0) }
        } catch {
            if error.isAbsence { return nil }
            throw error
        }
    }

    /// Returns the dates of an entry, without verifying its checksum. Returns nil if this cache cannot read the entry.
    func dates(of path: String) throws(FileSystemError) -> DiskEntryFormat.Dates? {
        try trailer(of: path).flatMap { DiskEntryFormat.dates(inTrailer: $0) }
    }

    /// Returns the body and footer of an entry's file, without verifying the checksum. Returns nil if this cache cannot
    /// read the entry.
    private func trailer(of path: String) throws(FileSystemError) -> Data? {
        var tail = try files.tail(of: path, byteCount: Self.trailerByteCount)
        guard let byteCount = DiskEntryFormat.trailerByteCount(inTail: tail) else { return nil }
        // This cache cannot read such an entry: the file is larger than the limit, or its lengths are inconsistent.
        guard byteCount <= configuration.byteLimit else { return nil }
        if byteCount > tail.count { tail = try files.tail(of: path, byteCount: byteCount) }
        return tail.suffix(byteCount)
    }
}
