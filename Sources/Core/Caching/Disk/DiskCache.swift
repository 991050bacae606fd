import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A cache of entries in a directory: the disk tier of a cache.
///
/// ```swift
/// let cache = DiskCache(at: DiskCache.defaultDirectory, configuration: .init(byteLimit: 200 << 20))
/// let manager = ImageManager(plugins: [.standard], context: [.imageCache(TieredCache(disk: cache))])
/// ```
///
/// Each source has a directory, which contains one file for each entry of the source. Any image viewer opens such a
/// file, unless the cache has a transform. A file appears completely or not at all, and all of it is verified when it
/// is read. A damaged entry is removed and counts as absent, so that it is loaded again.
///
/// The limits hold while the cache is in use: a store beyond them starts a trim in the background. The trim removes
/// expired entries and then the oldest ones. In a directory of up to about a thousand entries, the order is exact. In a
/// larger one it is approximate, because the trim examines only a part of the directory, in proportion to the amount to
/// remove.
///
/// Several caches, in this process and in others, may share a directory; each enforces its own limits. Processes may be
/// killed at any moment, and the directory may be removed at any time. Files with names that the cache does not use are
/// left alone. Thread-safe; all calls may block except ``immediateEntry(for:)`` and ``statistics``.
///
/// A directory that belongs to another user, or that every user may write to, is neither read nor changed: reads,
/// stores and removals throw, unless ``Configuration/trustsOtherUsers`` is set. Directories of root, and directories
/// that a group may write to, are used. A process that runs as root also uses directories that belong to other users,
/// and reports their owner once. Symbolic links are followed only on the path to the subdirectory `v2`, which contains
/// the entries.
///
/// The directory has a secret of 32 random bytes in the file `v2/secret` (mode 0600), which is created with the first
/// entry. The names of sources, entries and tags are digests keyed with the secret (HMAC-SHA-256). A file contains its
/// key only in the form in which messages show it, without the values that may be secret. Without the secret, the
/// directory does not reveal which tokens, headers or passwords were sent, and guesses cannot be checked against the
/// directory. Hosts and paths, facts from servers about an image (entity tags, dates), tags, and the images themselves
/// are not hidden.
///
/// A copy of the directory must include the secret. If the secret is lost, the cache counts as empty, and its old files
/// are evicted like old entries.
public final class DiskCache: DataCache {
    /// The directory that was passed to the initializer.
    public let directory: URL
    /// The configuration of the cache: its limits, how long entries live, and how they are written.
    public let configuration: Configuration

    /// The maximum age of an entry, in seconds; nil for no limit.
    let maxSeconds: Double?
    /// The seconds after a recorded use during which no use is recorded: 60, or half the maximum age if that is less.
    let useInterval: Double
    /// The path of the layout directory (`v2`) in the cache's directory.
    let root: String
    /// The layout directory (`v2`) of the cache, kept open for reading.
    ///
    /// Closed after each store or removal through this cache. The next read opens it again by its path, and thus finds
    /// the change even if another process has replaced the directory.
    let entries: KeptDirectory
    let transform: (any DataTransform)?
    let readOnlyDirectories: [ReadOnlyDirectory]
    let files: any FileSystem
    let time: any TimeSource
    let onIssue: @Sendable (ImageError) -> Void
    /// The user ID of the directory's owner that was reported last; nil if none was reported.
    let knownOwner = Lock<UInt32?>(nil)
    /// A function that returns a secret for a directory that has none.
    let makeSecret: @Sendable () -> DirectorySecret
    /// The error numbers of changes that failed when a read last attempted them, keyed by the message of the report.
    private let failedChanges = Lock<[String: Int32]>([:])
    let counters = Lock(DataCacheStatistics())
    let accounts = Lock(DiskAccounts())
    /// The serial queue that maintains the limits and the ledger.
    let trimmingQueue = DispatchQueue(label: "calotype.disk-cache", qos: .utility)

    /// Creates a cache in a directory. Does not access the disk before the first call that needs it.
    /// - Parameters:
    ///   - directory: A directory that is used only by caches. It is created with the first entry.
    ///   - configuration: The configuration of the cache.
    ///   - transform: The transform that compresses or encrypts entries. Its identity must not be empty. Default: none.
    ///   - readOnlyDirectories: The directories in which to look, in this order, for entries that are not in the
    ///     cache's own directory.
    ///   - fileSystem: The file system that reads and writes the files.
    ///   - time: The clock for expiration and last use.
    ///   - onIssue: Called with failures that no call throws, such as damaged entries that were removed, or trims that
    ///     failed. Called on the thread that found the failure, or on the one that trims; it must not call the cache.
    ///     Default: ignores failures. Only the cache that an ``ImageManager`` creates itself reports issues to its
    ///     ``EventListener``. To do the same here, pass a ``PipelineEvent`` of the kind
    ///     ``PipelineEvent/Kind/failed(_:)``, with the stage and the subject of the issue, to your listener.
    public convenience init(
        at directory: URL, configuration: Configuration = Configuration(), transform: (any DataTransform)? = nil,
        readOnlyDirectories: [ReadOnlyDirectory] = [], fileSystem: any FileSystem = LocalFileSystem(),
        time: any TimeSource = SystemTime(), onIssue: @escaping @Sendable (ImageError) -> Void = { _ in }
    ) {
        self.init(
            at: directory, configuration: configuration, transform: transform, readOnlyDirectories: readOnlyDirectories,
            fileSystem: fileSystem, time: time, makeSecret: { .random() }, onIssue: onIssue)
    }

    /// Creates a cache.
    /// - Parameter makeSecret: Returns a secret for a directory that has none.
    init(
        at directory: URL, configuration: Configuration, transform: (any DataTransform)?,
        readOnlyDirectories: [ReadOnlyDirectory], fileSystem: any FileSystem, time: any TimeSource,
        makeSecret: @escaping @Sendable () -> DirectorySecret, onIssue: @escaping @Sendable (ImageError) -> Void
    ) {
        precondition(transform?.identity.isEmpty != true, "a transform needs a nonempty identity")
        self.directory = directory
        self.configuration = configuration
        let maxSeconds = configuration.maxAge.flatMap { $0 > .zero ? $0.seconds : nil }
        self.maxSeconds = maxSeconds
        useInterval = min(60, (maxSeconds ?? .infinity) / 2)
        self.transform = transform
        self.readOnlyDirectories = readOnlyDirectories
        self.time = time
        self.onIssue = onIssue
        self.makeSecret = makeSecret
        root = Self.root(of: directory)
        files = fileSystem.confined(below: root)
        entries = KeptDirectory(root)
    }

    /// Returns the path of the layout directory (`v2`) in a cache's directory.
    static func root(of directory: URL) -> String { "\(path(of: directory))/\(DiskEntryName.layout)" }

    /// Returns the absolute path of a directory, without a slash at the end.
    package static func path(of directory: URL) -> String {
        let path = directory.absoluteURL.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Returns the path of the file that contains the entry for a key, or would contain it if it were stored.
    ///
    /// The name of the file depends on the secret of the directory. If there is no secret, this method creates one, as
    /// a store does. If the secret cannot be read or created, or the directory is not trusted, no entry can be stored:
    /// the returned path is then one at which there is no entry.
    public func path(for key: VariantKey) -> String {
        let secret = (try? prepareDirectory()).flatMap { _ in try? giveSecret(makeSecret(), to: root) } ?? makeSecret()
        return path(of: key.diskName(under: secret))
    }

    func path(of name: DiskEntryName) -> String { "\(root)/\(name.path)" }

    /// Returns the entry for a key from the cache's directory or, if it is not there, from the first read-only
    /// directory that has it. Returns nil if no directory has a valid entry.
    public func entry(for key: VariantKey) throws -> CacheEntry? {
        let start = time.now()
        let now = time.wallTime()
        let isTimeToCheck = entries.refresh(at: start)
        do {
            let entry = try firstAnswer { () throws(ImageError) -> CacheEntry? in
                if isTimeToCheck { try checkDirectory(for: .query) }
                return try ownEntry(for: key, at: now, isChecked: isTimeToCheck)
            } readOnly: { directory throws(ImageError) -> CacheEntry? in
                try readOnlyEntry(for: key, in: directory, at: now)
            }
            countRead(entry, since: start)
            return entry
        } catch {
            countFailedRead(since: start)
            throw error
        }
    }

    /// Returns whether the cache's directory or a read-only directory has an unexpired entry for a key. Does not verify
    /// the entry, and does not count as a use.
    public func contains(_ key: VariantKey) throws -> Bool {
        let now = time.wallTime()
        let file = try firstAnswer { () throws(ImageError) -> FileAttributes? in
            try checkDirectory(for: .query)
            return try ownFile(for: key, at: now)
        } readOnly: { directory throws(ImageError) -> FileAttributes? in
            try readOnlyFile(for: key, in: directory, at: now)
        }
        return file != nil
    }

    /// Returns the first result that is not nil: that of `own`, or of `readOnly` for one of the read-only directories.
    /// Returns nil if there is none.
    ///
    /// A directory that cannot be read is skipped. If no directory gives a result, the first failure is thrown. If a
    /// directory gives a result, the first failure is only reported.
    private func firstAnswer<Answer>(
        _ own: () throws(ImageError) -> Answer?, readOnly: (ReadOnlyDirectory) throws(ImageError) -> Answer?
    ) throws(ImageError) -> Answer? {
        guard !readOnlyDirectories.isEmpty else { return try own() }
        var answer: Answer?
        var problem: ImageError?
        do throws(ImageError) {
            answer = try own()
        } catch {
            problem = error
        }
        for directory in readOnlyDirectories where answer == nil {
            do throws(ImageError) {
                answer = try readOnly(directory)
            } catch {
                problem = problem ?? error
            }
        }
        guard let problem else { return answer }
        guard let answer else { throw problem }
        onIssue(problem)
        return answer
    }

    /// The result of looking for an entry.
    private enum Finding {
        case valid(CacheEntry)
        /// No usable entry: it does not exist, is too large, or has a different transform or version of the format.
        case absent
        case expired(FileAttributes)
        /// A damaged entry. The attributes are nil if there is an item of the wrong kind in its place or on its path.
        case damaged(FileAttributes?, because: String)

        /// The entry that a read returns; nil unless the finding is valid.
        var entry: CacheEntry? {
            guard case .valid(let entry) = self else { return nil }
            return entry
        }
    }

    /// Returns the valid entry for a key in the cache's own directory; nil if there is none. Removes an expired or
    /// damaged entry.
    /// - Parameter isChecked: Whether the caller has just checked the directory.
    private func ownEntry(
        for key: VariantKey, at now: Double, isChecked: Bool
    ) throws(ImageError) -> CacheEntry? {
        guard var name = try nameForReading(of: key, isChecked: isChecked) else { return nil }
        var finding = try find(name, at: now)
        switch finding {
        case .expired, .damaged:
            // Looked up again before it is removed: another process may have stored the entry again, or replaced the
            // directory.
            entries.reset()
        case .absent where entries.secret != name.secret:
            // The directory was replaced, and the entry has another name in the new one.
            break
        case .valid, .absent:
            return finding.entry
        }
        guard let present = try nameForReading(of: key, isChecked: false) else { return nil }
        name = present
        finding = try find(name, at: now)
        switch finding {
        case .valid, .absent:
            break
        case .expired(let file):
            if discard(name, file) { counters.withLock { $0.expirations += 1 } }
        case .damaged(let file, let reason):
            onIssue(damage(at: path(of: name), because: reason, consequence: "discarded"))
            if discard(name, file) { counters.withLock { $0.repairs += 1 } }
        }
        return finding.entry
    }

    /// Returns the file name of a key's entry; nil if the directory has no secret, without which no entry can be found.
    /// - Parameter isChecked: Whether the caller has just checked the directory. If false, this method checks it before
    ///   it reads a secret, because another directory may have taken its place.
    func nameForReading(of key: VariantKey, isChecked: Bool) throws(ImageError) -> DiskEntryName? {
        if !isChecked, entries.secret == nil { try checkDirectory(for: .query) }
        do throws(FileSystemError) {
            return try keptSecret().map { key.diskName(under: $0) }
        } catch {
            throw failure(error, stage: .query, message: "the secret of the directory could not be read")
        }
    }

    private func find(_ name: DiskEntryName, at now: Double) throws(ImageError) -> Finding {
        let file: (data: Data, attributes: FileAttributes)
        do throws(FileSystemError) {
            file = try files.contents(of: name.path, in: entries, byteLimit: configuration.byteLimit)
            try checkOwner(of: file.attributes, in: name.directory)
        } catch {
            switch error.code {
            // A larger entry is valid for a cache with a higher limit.
            case ENOENT, EFBIG: return .absent
            case EISDIR, ELOOP, ENXIO:
                return .damaged(nil, because: "it is not a regular file, or is reached through a link")
            case ENOTDIR where (try? obstacle(onPath: name.directory)) != nil:
                return .damaged(nil, because: "a file is in place of its directory")
            default: throw failure(error, stage: .query, message: "the entry could not be read")
            }
        }
        if isTooOld(file.attributes, at: now) { return .expired(file.attributes) }

        let parsed: DiskEntryFormat.Parsed
        do {
            parsed = try DiskEntryFormat.parse(file.data, as: name, transform: transform)
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            // Valid for another cache. A store replaces it.
            return .absent
        } catch {
            return .damaged(file.attributes, because: "\(error)")
        }
        if parsed.dates.areOver(at: now) { return .expired(file.attributes) }
        noteUse(of: name, file.attributes, at: now)
        return .valid(parsed.entry)
    }

    private func ownFile(for key: VariantKey, at now: Double) throws(ImageError) -> FileAttributes? {
        do throws(FileSystemError) {
            guard let secret = try presentSecret(in: root) else { return nil }
            let name = key.diskName(under: secret)
            let obstacle = try files.obstacle(onPath: name.directory, below: root, trustsOtherUsers: true)
            guard obstacle == nil else { return nil }
            let path = path(of: name)
            let file = try files.attributes(of: path)
            guard file.kind == .file, file.byteCount <= configuration.byteLimit else { return nil }
            try checkOwner(of: file, in: name.directory)
            return try hasExpired(path, file, at: now) ? nil : file
        } catch {
            if error.code == ENOENT { return nil }
            throw failure(error, stage: .query, message: "the entry could not be found")
        }
    }

    // MARK: Changes during reads

    /// Sets the modification time of an entry's file to the present if ``isUseToBeNoted(of:at:)`` requires it. A
    /// failure does not affect the read.
    private func noteUse(of name: DiskEntryName, _ file: FileAttributes, at now: Double) {
        guard isUseToBeNoted(of: file, at: now) else { return }
        attempt("the use of an entry could not be recorded") { () throws(FileSystemError) -> Void in
            try files.setModificationTime(now, of: path(of: name))
        }
    }

    /// Returns whether the modification time of a file must be set: to record a use, or because it is in the future.
    func isUseToBeNoted(of file: FileAttributes, at now: Double) -> Bool {
        let isStale = configuration.expiration == .access && now - file.modificationTime >= useInterval
        return isStale || isAhead(file, at: now)
    }

    /// Removes an expired or damaged entry, unless it was stored again after the read. Returns whether it was removed.
    /// - Parameter file: The attributes of the file that was read; nil if an item of the wrong kind is in its place or
    ///   on its path.
    private func discard(_ name: DiskEntryName, _ file: FileAttributes?) -> Bool {
        let path = path(of: name)
        var isRemoved = false
        attempt("an invalid entry could not be removed") { () throws(FileSystemError) -> Void in
            guard let file else {
                isRemoved = try clearPlace(of: name)
                return
            }
            guard try files.attributes(of: path) == file else { return }
            isRemoved = try removeEntry(path, in: name.shard)
        }
        return isRemoved
    }

    /// Makes a change that does not affect the result of a read. A failure is not reported if the previous attempt
    /// failed in the same way. Otherwise, every read from a read-only disk would report it.
    private func attempt(_ message: String, _ change: () throws(FileSystemError) -> Void) {
        do throws(FileSystemError) {
            try change()
            failedChanges.withLock { $0[message] = nil }
        } catch {
            // Another process has removed the entry.
            if error.code == ENOENT { return }
            let known = failedChanges.withLock { $0.updateValue(error.code, forKey: message) }
            if known != error.code { onIssue(failure(error, stage: .query, message: message)) }
        }
    }

    func damage(at path: String, because reason: String, consequence: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: .query, component: "DiskCache", subject: path,
            message: "the entry is damaged and was \(consequence): \(reason)",
            advice: "check the disk if this happens often")
    }

    func failure(_ error: FileSystemError, stage: ImageError.Stage, message: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: stage, component: "DiskCache", subject: error.path, message: message,
            advice: error.advice, cause: error)
    }
}
