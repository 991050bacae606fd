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
/// loaded again. The limits hold while the cache is in use: storing beyond them starts a trim in the background, which
/// takes what has expired and then what is oldest, exactly so among some thousands of entries and nearly so among more:
/// it looks at part of the folder, in proportion to what it removes.
///
/// Several caches, in this process and in others, may share a folder; each sees to its own limits. They may be killed
/// at any instant, and the folder may go at any time. Files with names that are not the cache's are left alone. Safe to
/// use from any thread; every call may block.
public final class DiskCache: DataCache {
    /// The folder that was given at the beginning.
    public let folder: URL
    /// What bounds the cache.
    public let configuration: Configuration

    let root: String
    /// The same folder, for reading.
    ///
    /// Let go of at each change: should somebody have put another folder in its place, what was written or removed
    /// there is seen.
    let entries: KeptFolder
    let transform: (any DataTransform)?
    let readOnlyFolders: [ReadOnlyFolder]
    let files: any FileSystem
    let time: any TimeSource
    let onIssue: @Sendable (ImageError) -> Void
    let recentUses: RecentUses
    let counters = Lock(DataCacheStatistics())
    let accounts = Lock(DiskAccounts())
    /// Who sees to limits and ledger, one at a time.
    let trimmingQueue = DispatchQueue(label: "calotype.disk-cache", qos: .utility)

    /// A cache in a folder. Nothing is touched on disk before the first call that needs it.
    /// - Parameters:
    ///   - folder: A folder of the cache's own; made when the first entry is stored.
    ///   - configuration: What bounds the cache.
    ///   - transform: What compresses or encrypts entries; none by default.
    ///   - readOnlyFolders: Where to look, in this order, for what the cache does not have.
    ///   - fileSystem: What reads and writes the files.
    ///   - time: The clock for expiration and last use.
    ///   - onIssue: Told of failures that no call throws: damaged entries that were removed, trims that failed. Called
    ///     on the thread that met them, or on the one that trims; it must not call the cache.
    public init(
        at folder: URL, configuration: Configuration = Configuration(), transform: (any DataTransform)? = nil,
        readOnlyFolders: [ReadOnlyFolder] = [], fileSystem: any FileSystem = LocalFileSystem(),
        time: any TimeSource = SystemTime(), onIssue: @escaping @Sendable (ImageError) -> Void = { _ in }
    ) {
        self.folder = folder
        self.configuration = configuration
        self.transform = transform
        self.readOnlyFolders = readOnlyFolders
        self.time = time
        self.onIssue = onIssue
        files = fileSystem
        recentUses = RecentUses(maxAge: configuration.maxSeconds == nil ? nil : configuration.maxAge)
        root = Self.root(of: folder)
        entries = KeptFolder(root)
    }

    /// The folder of the layout in a cache's folder.
    static func root(of folder: URL) -> String { "\(path(of: folder))/\(DiskEntryName.layout)" }

    /// The path of a folder, without a slash at the end.
    static func path(of folder: URL) -> String {
        var path = folder.absoluteURL.path(percentEncoded: false)
        if path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// The file in which an entry is, or would be.
    public func path(for key: VariantKey) -> String {
        "\(root)/\(key.diskName.path)"
    }

    /// The entry for a key; where there is none, the one that a read-only folder has.
    public func entry(for key: VariantKey) throws -> CacheEntry? {
        let start = time.now()
        let now = time.wallTime()
        do {
            var entry = try ownEntry(for: key, at: now)
            if entry == nil, !readOnlyFolders.isEmpty { entry = try readOnlyEntry(for: key, at: now) }
            countRead(entry, since: start)
            return entry
        } catch {
            countFailedRead(since: start)
            throw error
        }
    }

    /// What there is for a key.
    private enum Finding {
        case valid(CacheEntry)
        /// Nothing, or somebody else's.
        case absent
        case expired
        case damaged(because: String)
    }

    private func ownEntry(for key: VariantKey, at now: Double) throws -> CacheEntry? {
        var finding = try find(key, at: now)
        switch finding {
        case .expired, .damaged:
            // Looked at again before it is removed: somebody may have stored it anew, or put another folder in place.
            entries.reset()
            finding = try find(key, at: now)
        case .valid, .absent:
            break
        }
        switch finding {
        case .valid(let entry):
            return entry
        case .absent:
            break
        case .expired:
            if discard(key) { counters.withLock { $0.expirations += 1 } }
        case .damaged(let reason):
            onIssue(damage(at: path(for: key), because: reason, consequence: "given up"))
            if discard(key) { counters.withLock { $0.repairs += 1 } }
        }
        return nil
    }

    private func find(_ key: VariantKey, at now: Double) throws -> Finding {
        // Where uses do not make an entry younger, its age is to be looked at each time.
        let areUsesEnough = configuration.expiration == .access || configuration.maxSeconds == nil
        let isRecent = areUsesEnough && recentUses.contains(key, at: now)
        let file: Data
        do throws(FileSystemError) {
            if !isRecent, try !isAlive(key, at: now) { return .expired }
            file = try files.contents(of: key.diskName.path, in: entries, byteLimit: configuration.byteLimit)
        } catch {
            switch error.code {
            case ENOENT: return .absent
            case EFBIG: return .damaged(because: "it is larger than the cache may be")
            case EISDIR, ELOOP: return .damaged(because: "it is no regular file")
            default: throw failure(error, stage: .query, message: "the entry could not be read")
            }
        }

        let entry: CacheEntry
        do {
            entry = try DiskEntryFormat.parse(file, for: key, transform: transform).entry
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            // Good for whose it is; what is stored takes its place.
            return .absent
        } catch {
            return .damaged(because: "\(error)")
        }
        if let expiration = entry.expiration, expiration <= now { return .expired }
        if !isRecent { recentUses.note(key, at: now) }
        return .valid(entry)
    }

    /// Whether a file is there that is not too old; notes the use of it, where that was not done within a minute.
    private func isAlive(_ key: VariantKey, at now: Double) throws(FileSystemError) -> Bool {
        let path = self.path(for: key)
        let attributes = try files.attributes(of: path)
        guard !isTooOld(attributes, at: now) else { return false }
        // A stamp that lies ahead, as after a correction of the clock, would never age.
        let age = now - attributes.modificationTime
        let isStale = configuration.expiration == .access && age >= recentUses.interval
        if isStale || -age >= recentUses.interval { touch(path, at: now) }
        return true
    }

    /// Whether there is an entry for a key that has not expired, or one in a read-only folder. Does not verify it and
    /// does not count as a use.
    public func contains(_ key: VariantKey) throws -> Bool {
        do throws(FileSystemError) {
            if try ownContains(key) { return true }
            return try readOnlyContains(key, at: time.wallTime())
        } catch {
            throw failure(error, stage: .query, message: "the entry could not be found")
        }
    }

    private func ownContains(_ key: VariantKey) throws(FileSystemError) -> Bool {
        let path = self.path(for: key)
        do throws(FileSystemError) {
            let attributes = try files.attributes(of: path)
            guard attributes.kind == .file else { return false }
            return try !hasExpired(path, attributes, at: time.wallTime())
        } catch {
            if error.code == ENOENT { return false }
            throw error
        }
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
    private func discard(_ key: VariantKey) -> Bool {
        do throws(FileSystemError) {
            return try removeEntry(path(for: key), in: key.diskName.shard)
        } catch {
            onIssue(failure(error, stage: .query, message: "an entry that is not valid could not be removed"))
            return false
        }
    }

    func damage(at path: String, because reason: String, consequence: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: .query, component: "DiskCache", subject: path,
            message: "the entry is damaged and was \(consequence): \(reason)",
            advice: "if it happens often, check the disk")
    }

    func failure(_ error: FileSystemError, stage: ImageError.Stage, message: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: stage, component: "DiskCache", subject: error.path, message: message,
            advice: error.advice, cause: error)
    }
}
