import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Entries in a directory: the disk tier of a cache.
///
/// ```swift
/// let cache = DiskCache(at: DiskCache.defaultDirectory, configuration: .init(byteLimit: 200 << 20))
/// let manager = ImageManager(plugins: [.standard], context: [.imageCache(TieredCache(data: cache))])
/// ```
///
/// An entry is one file, which any viewer opens; a source has a directory of them. A file appears whole or not at all,
/// and is checked down to the last bit when it is read: what is damaged is removed and counts as absent, so that it is
/// loaded again. The limits hold while the cache is in use: storing beyond them starts a trim in the background, which
/// takes what has expired and then what is oldest, exactly so among some thousands of entries and nearly so among more:
/// it looks at part of the directory, in proportion to what it removes.
///
/// Several caches, in this process and in others, may share a directory; each sees to its own limits. They may be
/// killed at any instant, and the directory may go at any time. Files with names that are not the cache's are left
/// alone. Safe to use from any thread; every call may block but ``immediateEntry(for:)`` and ``statistics``.
///
/// A directory that belongs to another user, or that every user may write to, is neither read nor changed: every call
/// throws, unless ``Configuration/trustsOtherUsers`` is set. Directories of root's and directories that a group may
/// write to are used, and a process of root's uses those of all users, which it reports once. The path to the directory
/// may lead through symbolic links; no link in the directory is followed.
///
/// The directory has a secret of 32 random bytes, made with the first entry in the file `v2/secret` (mode 0600). All
/// names of files and directories are keyed digests under it (HMAC-SHA-256), and a file holds its key only as messages
/// show it: without the values that may be secret. Without the secret nobody can tell from the directory which tokens,
/// headers or passwords were sent, nor try them out. A copy of the directory needs the secret too; where it is lost,
/// the cache is empty, and what was in it goes as what is oldest goes. Not hidden are hosts and paths, what servers say
/// of an image (entity tags, dates), tags, and the images.
public final class DiskCache: DataCache {
    /// The directory that was given at the beginning.
    public let directory: URL
    /// The limits of the cache.
    public let configuration: Configuration

    /// The maximum age of an entry in seconds; nil for no limit.
    let maxSeconds: Double?
    /// The time in seconds for which a use need not be noted again, which is well below the maximum age of an entry.
    let useInterval: Double
    let root: String
    /// The same directory, for reading.
    ///
    /// Let go of at each change: if another process has put another directory in its place, what was written or
    /// removed there is seen; and what others put there, within a second.
    let entries: KeptDirectory
    let transform: (any DataTransform)?
    let readOnlyDirectories: [ReadOnlyDirectory]
    let files: any FileSystem
    let time: any TimeSource
    let onIssue: @Sendable (ImageError) -> Void
    /// The last owner of the directory that was reported, by number.
    let knownOwner = Lock<UInt32?>(nil)
    /// Makes the secret of a directory that has none.
    let makeSecret: @Sendable () -> DirectorySecret
    /// The changes that reads make in passing and that fail at present, by the text of the failure.
    private let failedChanges = Lock<[String: Int32]>([:])
    let counters = Lock(DataCacheStatistics())
    let accounts = Lock(DiskAccounts())
    /// The queue that keeps limits and ledger, one task at a time.
    let trimmingQueue = DispatchQueue(label: "calotype.disk-cache", qos: .utility)

    /// A cache in a directory. Nothing is touched on disk before the first call that needs it.
    /// - Parameters:
    ///   - directory: A directory of the cache's own; made when the first entry is stored.
    ///   - configuration: What bounds the cache.
    ///   - transform: What compresses or encrypts entries; none by default. Its identity must not be empty.
    ///   - readOnlyDirectories: Where to look, in this order, for what the cache does not have.
    ///   - fileSystem: What reads and writes the files.
    ///   - time: The clock for expiration and last use.
    ///   - onIssue: Told of failures that no call throws: damaged entries that were removed, trims that failed. Called
    ///     on the thread that met them, or on the one that trims; it must not call the cache. Nothing is told by
    ///     default: only of the cache that an ``ImageManager`` makes itself do issues reach its ``EventListener``. Here
    ///     hand them to yours as it does, in a ``PipelineEvent`` with the issue's stage and subject, of the kind
    ///     ``PipelineEvent/Kind/failed(_:)``.
    public convenience init(
        at directory: URL, configuration: Configuration = Configuration(), transform: (any DataTransform)? = nil,
        readOnlyDirectories: [ReadOnlyDirectory] = [], fileSystem: any FileSystem = LocalFileSystem(),
        time: any TimeSource = SystemTime(), onIssue: @escaping @Sendable (ImageError) -> Void = { _ in }
    ) {
        self.init(
            at: directory, configuration: configuration, transform: transform, readOnlyDirectories: readOnlyDirectories,
            fileSystem: fileSystem, time: time, makeSecret: { .random() }, onIssue: onIssue)
    }

    /// - Parameter makeSecret: Makes the secret of a directory that has none.
    init(
        at directory: URL, configuration: Configuration, transform: (any DataTransform)?,
        readOnlyDirectories: [ReadOnlyDirectory], fileSystem: any FileSystem, time: any TimeSource,
        makeSecret: @escaping @Sendable () -> DirectorySecret, onIssue: @escaping @Sendable (ImageError) -> Void
    ) {
        precondition(transform?.identity.isEmpty != true, "a transform needs an identity")
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

    /// The directory of the layout in a cache's directory.
    static func root(of directory: URL) -> String { "\(path(of: directory))/\(DiskEntryName.layout)" }

    /// The absolute path of a directory, without a slash at the end.
    package static func path(of directory: URL) -> String {
        let path = directory.absoluteURL.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The file in which an entry is, or would be.
    ///
    /// Its name depends on the secret of the directory, which is made where there is none yet, as it is by storing.
    /// Where that cannot be read or made, or the directory is not to be trusted, no entry can be stored, and the path
    /// is one that none has.
    public func path(for key: VariantKey) -> String {
        let secret = (try? prepareDirectory()).flatMap { _ in try? giveSecret(makeSecret(), to: root) } ?? makeSecret()
        return path(of: key.diskName(under: secret))
    }

    func path(of name: DiskEntryName) -> String { "\(root)/\(name.path)" }

    /// The entry for a key; where there is none, the one that a read-only directory has.
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

    /// Whether there is an entry for a key that has not expired, or one in a read-only directory. Does not verify it
    /// and does not count as a use.
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

    /// Returns the answer of the cache itself, or of the first read-only directory that has one.
    ///
    /// Where one cannot be read the others still are: its failure is thrown when none of them has any, and else told.
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

    /// The result of a look for an entry.
    private enum Finding {
        case valid(CacheEntry)
        /// There is no entry, or one of another key.
        case absent
        case expired(FileAttributes)
        /// A damaged entry. It has no attributes if it is no regular file, or is reached through a link.
        case damaged(FileAttributes?, because: String)

        /// The entry to return; nil unless the finding is valid.
        var entry: CacheEntry? {
            guard case .valid(let entry) = self else { return nil }
            return entry
        }
    }

    /// - Parameter isChecked: Whether the directory was found to be one to be trusted just now.
    private func ownEntry(
        for key: VariantKey, at now: Double, isChecked: Bool
    ) throws(ImageError) -> CacheEntry? {
        guard var name = try nameForReading(of: key, isChecked: isChecked) else { return nil }
        var finding = try find(name, at: now)
        switch finding {
        case .expired, .damaged:
            // Looked at again before it is removed: another process may have stored it anew, or put another directory
            // in place.
            entries.reset()
        case .absent where entries.secret != name.secret:
            // Another directory is in place, in which the entry has another name.
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
            onIssue(damage(at: path(of: name), because: reason, consequence: "given up"))
            if discard(name, file) { counters.withLock { $0.repairs += 1 } }
        }
        return finding.entry
    }

    /// The name of a key in the directory; nil if the directory has no secret, and so nothing that could be found.
    ///
    /// Where the secret is to be read, the directory may be another than the one that was checked last.
    /// - Parameter isChecked: Whether the directory was found to be one to be trusted just now.
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
            // What is larger than this cache may be is good for whose it is.
            case ENOENT, EFBIG: return .absent
            case EISDIR, ELOOP, ENXIO:
                return .damaged(nil, because: "it is no regular file, or reached through a link")
            case ENOTDIR where (try? obstacle(onPath: name.directory)) != nil:
                return .damaged(nil, because: "a file is in the place of its directory")
            default: throw failure(error, stage: .query, message: "the entry could not be read")
            }
        }
        if isTooOld(file.attributes, at: now) { return .expired(file.attributes) }

        let parsed: DiskEntryFormat.Parsed
        do {
            parsed = try DiskEntryFormat.parse(file.data, as: name, transform: transform)
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            // Good for whose it is; what is stored takes its place.
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

    // MARK: Changes on the way

    /// Notes a use, where that was not done lately. One that cannot be noted makes the entry look older than it is, no
    /// more.
    private func noteUse(of name: DiskEntryName, _ file: FileAttributes, at now: Double) {
        guard isUseToBeNoted(of: file, at: now) else { return }
        attempt("the use of an entry could not be noted") { () throws(FileSystemError) -> Void in
            try files.setModificationTime(now, of: path(of: name))
        }
    }

    /// Whether a use of an entry now is to be noted.
    func isUseToBeNoted(of file: FileAttributes, at now: Double) -> Bool {
        let isStale = configuration.expiration == .access && now - file.modificationTime >= useInterval
        return isStale || isAhead(file, at: now)
    }

    /// Removes what must not be answered, unless another process has stored it anew since it was read. When that fails
    /// it is found again, so that nobody is told something wrong.
    /// - Parameter file: What was read; nil for what is no regular file, or reached through a link.
    private func discard(_ name: DiskEntryName, _ file: FileAttributes?) -> Bool {
        let path = path(of: name)
        var isRemoved = false
        attempt("an entry that is not valid could not be removed") { () throws(FileSystemError) -> Void in
            guard let file else {
                isRemoved = try clearPlace(of: name)
                return
            }
            guard try files.attributes(of: path) == file else { return }
            isRemoved = try removeEntry(path, in: name.shard)
        }
        return isRemoved
    }

    /// Makes a change that a read does not depend on. Tells when it fails, once for each way of failing until it
    /// succeeds: on a disk that is read-only it fails for every entry.
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
            advice: "if it happens often, check the disk")
    }

    func failure(_ error: FileSystemError, stage: ImageError.Stage, message: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: stage, component: "DiskCache", subject: error.path, message: message,
            advice: error.advice, cause: error)
    }
}
