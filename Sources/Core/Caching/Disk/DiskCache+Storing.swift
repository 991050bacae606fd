#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The maximum number of times that a store creates its directory. A trim may remove the directory while it is
    /// empty, so that the store must create it again.
    private static let directoryAttempts = 3

    public func store(_ entry: CacheEntry, for key: VariantKey) throws {
        let start = time.now()
        do {
            let byteCount = try write(entry, for: key)
            countStore(byteCount, since: start)
        } catch {
            countStore(nil, since: start)
            throw error
        }
    }

    /// Writes an entry to its file, with markers for its tags. Returns the size of the file, in bytes.
    private func write(_ entry: CacheEntry, for key: VariantKey) throws -> Int {
        // The directory is found by its path again, since another process may have replaced or removed it.
        entries.reset()
        try prepareDirectory()
        let secret: DirectorySecret
        do throws(FileSystemError) {
            secret = try secretForStoring()
        } catch {
            throw failure(error, stage: .store, message: "the secret of the directory could not be read or created")
        }
        let name = key.diskName(under: secret)
        let directory = "\(root)/\(name.directory)"
        let path = "\(directory)/\(name.file)"
        let now = time.wallTime()
        let pieces = try self.pieces(of: entry, for: key, under: secret, path: path, creation: now)
        let usage = DiskUsage(byteCount: pieces.reduce(0) { $0 + $1.count }, count: 1)
        guard usage.byteCount <= configuration.byteLimit else {
            throw ImageError(
                .cacheFailed, stage: .store, component: "DiskCache", subject: path,
                message: "the entry has \(usage.byteCount) bytes; the whole cache may have \(configuration.byteLimit)",
                advice: "raise the cache's `byteLimit`")
        }
        var former: FileAttributes?
        do throws(FileSystemError) {
            try clearPath(to: name.directory)
            // A file that cannot be examined cannot be counted. Whether it can be replaced turns out below.
            former = try? files.attributes(of: path)
            if former?.kind == .directory {
                try files.removeDirectoryWithItems(path)
                former = nil
            }
        } catch {
            throw failure(error, stage: .store, message: "the entry could not be stored")
        }
        let formerUsage = former.map { DiskUsage(of: $0) } ?? DiskUsage()
        let digests = entry.tags.map { secret.digest(ofTag: $0) }
        let markers = digests.map { marker($0, of: name) }
        let formerDigests = former == nil ? [] : formerTagDigests(of: path, in: name.shard)
        beginChange(in: name.shard)
        do throws(FileSystemError) {
            // Before the entry, so that a removal by tag misses no entry.
            for marker in markers { try write(marker, at: now) }
            try writeFile(
                pieces, as: name.file, in: directory, at: stamp(of: former, under: path, at: now),
                isReadOnly: entry.expiration != nil)
            // A removal may have found the markers before the entry, and removed them.
            for marker in markers { try restore(marker, at: now) }
        } catch {
            // A file that was written before the failure counts, so that the limits hold even if every store fails.
            if let written = try? files.attributes(of: path), written != former {
                entries.reset()
                endStore(DiskUsage(of: written), replacing: formerUsage, in: name.shard)
            } else {
                endChange(in: name.shard)
            }
            throw failure(error, stage: .store, message: "the entry could not be stored")
        }
        entries.reset()
        endStore(usage, replacing: formerUsage, in: name.shard)
        removeMarkers(formerDigests.filter { !digests.contains($0) }, ofFormer: path, in: name.shard)
        return usage.byteCount
    }

    private func pieces(
        of entry: CacheEntry, for key: VariantKey, under secret: DirectorySecret, path: String, creation: Double
    ) throws(ImageError) -> [Data] {
        do {
            return try DiskEntryFormat.pieces(
                of: entry, for: key, under: secret, creation: creation, transform: transform)
        } catch {
            throw ImageError(
                .cacheFailed, stage: .store, component: "DiskCache", subject: path,
                message: "the transform '\(transform?.identity ?? "")' could not encode the entry",
                advice: "check the cache's transform",
                cause: error)
        }
    }

    /// Returns the time from which the age of a stored entry counts, in seconds since 1970. If ages count from the
    /// first store, an entry that replaces an unexpired one takes over its time. Otherwise, this is the present.
    /// - Parameter former: The attributes of the file to replace; nil if there is none.
    private func stamp(of former: FileAttributes?, under path: String, at now: Double) -> Double {
        guard configuration.expiration == .creation, let former, former.kind == .file else { return now }
        // An expired entry counts as absent even before it is removed, so this is another entry.
        let isGone = (try? hasExpired(path, former, at: now)) ?? isTooOld(former, at: now)
        return isGone ? now : min(former.modificationTime, now)
    }

    /// Writes the marker of an entry's tag.
    private func write(_ marker: DiskTagMarker, at now: Double) throws(FileSystemError) {
        try clearPath(to: self.name(of: marker.directory))
        try writeFile([], as: marker.name, in: marker.directory, at: now, isReadOnly: false)
    }

    /// Writes the marker of an entry's tag if the marker is missing.
    func restore(_ marker: DiskTagMarker, at now: Double) throws(FileSystemError) {
        if try !files.isPresent(marker.path) { try write(marker, at: now) }
    }

    /// Writes a file of the cache. Creates its directory only after an attempt has failed, because checking for the
    /// directory first would slow down every store.
    func writeFile(
        _ pieces: [Data], as name: String, in directory: String, at stamp: Double, isReadOnly: Bool
    ) throws(FileSystemError) {
        let isDurable = configuration.durability == .full
        let temporaryPath = "\(directory)/\(DiskEntryName.temporary())"
        var attempt = 0
        var isWritten = false
        while !isWritten {
            do throws(FileSystemError) {
                if attempt > 0 { try files.createDirectories(directory) }
                try files.writeFile(
                    pieces, to: "\(directory)/\(name)", through: temporaryPath, modificationTime: stamp,
                    isReadOnly: isReadOnly, isDurable: isDurable)
                isWritten = true
            } catch {
                guard error.code == ENOENT, attempt < Self.directoryAttempts else { throw error }
                attempt += 1
            }
        }
        guard isDurable else { return }
        try files.synchronizeDirectory(directory)
        guard attempt > 0 else { return }
        // A new directory is an item of its parent, which may be new too. All directories are synchronized, up to the
        // one that contains the cache's directory.
        var above = directory
        for _ in directory.utf8.dropFirst(root.utf8.count).lazy.filter({ $0 == UInt8(ascii: "/") }) {
            above = Self.parent(of: above)
            try files.synchronizeDirectory(above)
        }
        try files.synchronizeDirectory(Self.parent(of: root))
        try files.synchronizeDirectory(Self.parent(of: Self.parent(of: root)))
    }

    /// Returns the path of the directory that contains an item.
    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
