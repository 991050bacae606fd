import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Entries in a folder: the disk tier of a cache.
///
/// ```swift
/// let cache = DiskCache(at: DiskCache.defaultFolder, configuration: .init(byteLimit: 200 << 20))
/// let manager = ImageManager(plugins: [.standard], context: [.imageCache(TieredCache(data: cache))])
/// ```
///
/// An entry is one file, which any viewer opens; a source has a folder of them. A file appears whole or not at all, and
/// is checked down to the last bit when it is read: what is damaged is removed and counts as absent, so that it is
/// loaded again. The limits hold while the cache is in use: storing beyond them starts a trim in the background, of
/// what has expired and then of what was used least recently.
///
/// Several caches, in this process and in others, may share a folder; each sees to its own limits. Files with names
/// that are not the cache's are left alone. Safe to use from any thread; every call may block.
public final class DiskCache: DataCache {
    /// What bounds a disk cache.
    public struct Configuration: Sendable, Hashable {
        /// The most bytes that the files may have together; 1 GiB by default.
        ///
        /// Crossing it starts a trim down to 80 %. Until that is done there may be up to a half more, and an eighth for
        /// each other process that stores into the same folder. An entry that is larger by itself is refused.
        public var byteLimit: Int
        /// How long an entry is kept after it was last used; 30 days by default, nil for ever.
        ///
        /// Uses are noted once a minute at most, or twice in the time given here.
        public var maxAge: Duration?

        /// Bounds; the defaults suit an application.
        public init(byteLimit: Int = 1 << 30, maxAge: Duration? = .seconds(30 * 86_400)) {
            self.byteLimit = byteLimit
            self.maxAge = maxAge
        }
    }

    /// How often storing makes the folder: a trim may remove it again, empty as it is, before the file is in it.
    private static let folderAttempts = 3

    /// The folder that was given at the beginning.
    public let folder: URL
    /// What bounds the cache.
    public let configuration: Configuration

    let root: String
    /// The same folder, for reading.
    ///
    /// Let go of at each change: should somebody have put another folder in its place, what was written or removed
    /// there is seen.
    private let entries: KeptFolder
    let files: any FileSystem
    let time: any TimeSource
    let onIssue: @Sendable (ImageError) -> Void
    private let recentUses: RecentUses
    let trimming = Lock(Trimming())
    let trimmingQueue = DispatchQueue(label: "calotype.disk-cache", qos: .utility)

    /// A cache in a folder. Nothing is touched on disk before the first call that needs it.
    /// - Parameters:
    ///   - folder: A folder of the cache's own; made when the first entry is stored.
    ///   - configuration: What bounds the cache.
    ///   - fileSystem: What reads and writes the files.
    ///   - time: The clock for expiration and last use.
    ///   - onIssue: Told of failures that no call throws: damaged entries that were removed, trims that failed. Called
    ///     on the thread that met them, or on the one that trims; it must not call the cache.
    public init(
        at folder: URL, configuration: Configuration = Configuration(),
        fileSystem: any FileSystem = LocalFileSystem(), time: any TimeSource = SystemTime(),
        onIssue: @escaping @Sendable (ImageError) -> Void = { _ in }
    ) {
        self.folder = folder
        self.configuration = configuration
        self.time = time
        self.onIssue = onIssue
        files = fileSystem
        recentUses = RecentUses(maxAge: configuration.maxAge)
        var path = folder.absoluteURL.path(percentEncoded: false)
        if path.hasSuffix("/") { path.removeLast() }
        root = "\(path)/\(DiskEntryName.layout)"
        entries = KeptFolder(root)
    }

    /// The file in which an entry is, or would be.
    public func path(for key: VariantKey) -> String {
        "\(root)/\(key.diskName.path)"
    }

    /// How many damaged entries this cache has removed.
    public var repairCount: Int { trimming.withLock { $0.repairCount } }

    public func entry(for key: VariantKey) throws -> CacheEntry? {
        let now = time.wallTime()
        let isRecent = recentUses.contains(key, at: now)
        let file: Data
        do throws(FileSystemError) {
            if !isRecent, try !isAlive(path(for: key), at: now) { return nil }
            file = try files.contents(of: key.diskName.path, in: entries, byteLimit: configuration.byteLimit)
        } catch {
            switch error.code {
            case ENOENT: return nil
            case EFBIG: repair(path(for: key), because: "it is larger than the cache may be")
            case EISDIR, ELOOP: repair(path(for: key), because: "it is no regular file")
            default: throw failure(error, stage: .query, message: "the entry could not be read")
            }
            return nil
        }

        let entry: CacheEntry
        do {
            entry = try DiskEntryFormat.parse(file, for: key).entry
        } catch {
            repair(path(for: key), because: "\(error)")
            return nil
        }
        if let expiration = entry.expiration, expiration <= now {
            discard(path(for: key))
            return nil
        }
        if !isRecent { recentUses.note(key, at: now) }
        return entry
    }

    /// Whether a file is there that is not too old; notes the use of it, where that was not done within a minute.
    private func isAlive(_ path: String, at now: Double) throws(FileSystemError) -> Bool {
        let attributes = try files.attributes(of: path)
        guard !isTooOld(attributes, at: now) else {
            discard(path)
            return false
        }
        // Also when the stamp lies ahead, as after a correction of the clock: it would never age.
        if abs(now - attributes.modificationTime) >= recentUses.interval { touch(path, at: now) }
        return true
    }

    /// Whether there is an entry for a key that has not expired. Does not verify it and does not count as a use.
    public func contains(_ key: VariantKey) throws -> Bool {
        let path = self.path(for: key)
        do throws(FileSystemError) {
            let attributes = try files.attributes(of: path)
            guard attributes.kind == .file else { return false }
            return try !hasExpired(path, attributes, at: time.wallTime())
        } catch {
            if error.code == ENOENT { return false }
            throw failure(error, stage: .query, message: "the entry could not be found")
        }
    }

    public func store(_ entry: CacheEntry, for key: VariantKey) throws {
        let name = key.diskName
        let folder = "\(root)/\(name.folder)"
        let now = time.wallTime()
        let trailer = DiskEntryFormat.trailer(for: entry, key: key, creation: now)
        let byteCount = entry.data.count + trailer.count
        guard byteCount <= configuration.byteLimit else {
            throw ImageError(
                .cacheFailed, stage: .store, component: "DiskCache", subject: "\(folder)/\(name.file)",
                message: "the entry has \(byteCount) bytes, the whole cache may have \(configuration.byteLimit)",
                advice: "raise `byteLimit`")
        }
        do throws(FileSystemError) {
            try write(
                [entry.data, trailer], as: name.file, in: folder, at: now, isReadOnly: entry.expiration != nil)
        } catch {
            throw failure(error, stage: .store, message: "the entry could not be stored")
        }
        entries.reset()
        recentUses.note(key, at: now)
        noteStored(byteCount)
    }

    public func remove(_ key: VariantKey) throws {
        entries.reset()
        do throws(FileSystemError) {
            try files.removeFileIfPresent(path(for: key))
        } catch {
            throw failure(error, stage: .store, message: "the entry could not be removed")
        }
    }

    public func removeAll(of source: SourceKey) throws {
        entries.reset()
        do throws(FileSystemError) {
            try removeEntries(in: "\(root)/\(DiskEntryName.folder(of: source))")
        } catch {
            throw failure(error, stage: .store, message: "the entries of a source could not be removed")
        }
    }

    public func clear() throws {
        entries.reset()
        var survey = DiskSurvey()
        for folder in survey.sourceFolders(in: root, files) {
            do throws(FileSystemError) {
                try removeEntries(in: folder)
            } catch {
                survey.note(error)
            }
        }
        guard let error = survey.failure else { return }
        throw failure(error, stage: .store, message: "some entries could not be removed")
    }

    /// Writes a file into a folder, which is made when it is missing: asking first would cost every other time.
    private func write(
        _ pieces: [Data], as name: String, in folder: String, at now: Double, isReadOnly: Bool
    ) throws(FileSystemError) {
        let temporaryPath = "\(folder)/\(DiskEntryName.temporary())"
        var attempt = 0
        while true {
            do throws(FileSystemError) {
                try files.writeFile(
                    pieces, to: "\(folder)/\(name)", through: temporaryPath, modificationTime: now,
                    isReadOnly: isReadOnly)
                return
            } catch {
                guard error.code == ENOENT, attempt < Self.folderAttempts else { throw error }
            }
            attempt += 1
            try files.createFolders(folder)
        }
    }

    /// Removes a source's folder with everything in it that is the cache's.
    ///
    /// File by file, rather than moving the folder out of sight first: what is not the cache's stays where it is, and
    /// nothing needs clearing away if the process ends halfway. Who stores meanwhile stores after the removal.
    private func removeEntries(in folder: String) throws(FileSystemError) {
        var failure: FileSystemError?
        for item in try files.itemsIfPresent(in: folder)
        where DiskEntryName.isDigest(item.name) || DiskEntryName.isTemporary(item.name) {
            do throws(FileSystemError) {
                try files.removeFileIfPresent("\(folder)/\(item.name)")
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        try files.removeFolderIfEmpty(folder)
    }

    /// Notes a use. One that cannot be noted makes the entry look older than it is, no more.
    private func touch(_ path: String, at now: Double) {
        do throws(FileSystemError) {
            try files.setModificationTime(now, of: path)
        } catch {
            if error.code == ENOENT { return }
            onIssue(failure(error, stage: .query, message: "the use of an entry could not be noted"))
        }
    }

    /// Removes what must not be answered. When that fails it is found again, so that nobody is told something wrong.
    private func discard(_ path: String) {
        do throws(FileSystemError) {
            try files.removeFileIfPresent(path)
        } catch {
            onIssue(failure(error, stage: .query, message: "an entry that is not valid could not be removed"))
        }
    }

    private func repair(_ path: String, because reason: String) {
        trimming.withLock { $0.repairCount += 1 }
        onIssue(
            ImageError(
                .cacheFailed, stage: .query, component: "DiskCache", subject: path,
                message: "the entry is damaged and was given up: \(reason)",
                advice: "if it happens often, check the disk"))
        discard(path)
    }

    func failure(_ error: FileSystemError, stage: ImageError.Stage, message: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: stage, component: "DiskCache", subject: error.path, message: message,
            advice: error.advice, cause: error)
    }
}
