#if os(Linux)
import CFiles
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A directory below which files are read again and again, kept open with its secret: the system then need not find it
/// each time.
///
/// Thread-safe.
public final class KeptDirectory: Sendable {
    /// The directory while it is open; closed when its last user lets it go.
    private final class Opened: Sendable {
        private let descriptor: Int32

        #if os(Linux)
        /// Whether files of this directory are opened without waiting where that is asked for.
        private let keepsCached: Bool

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            keepsCached = cf_keeps_cached(descriptor)
        }
        #else
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        #endif

        deinit { close(descriptor) }

        /// Opens a file below the directory for reading, following no link. The directory stays open meanwhile, even if
        /// another thread lets it go.
        func openFile(_ name: String, path: @autoclosure () -> String) throws(FileSystemError) -> Int32 {
            defer { withExtendedLifetime(self) {} }
            return try retrying("open", path()) {
                let outcome = LinklessPath.openFile(name, below: descriptor)
                if outcome < 0 { errno = -outcome }
                return outcome
            }
        }

        /// Whether the directory is still the one that a path leads to.
        func isAt(_ path: String) -> Bool {
            guard let mine = DirectoryIdentity(of: descriptor) else { return false }
            return (try? DirectoryIdentity(of: path)) == mine
        }

        #if os(Linux)
        /// Opens a file below the directory for reading, without waiting; an error number below zero where it does not.
        func openCachedFile(_ name: String) -> Int32 {
            defer { withExtendedLifetime(self) {} }
            return keepsCached ? CachedFile.open(name, below: descriptor) : -EAGAIN
        }

        /// Whether the directory is still the one that a path leads to; false where that cannot be said without
        /// waiting.
        func isCertainlyAt(_ path: String) -> Bool {
            let other = CachedFile.openDirectory(path)
            guard other >= 0 else { return false }
            defer { close(other) }
            guard let mine = DirectoryIdentity(of: descriptor) else { return false }
            return DirectoryIdentity(of: other) == mine
        }
        #endif
    }

    /// The identity of the file of a secret, by one system call. The number of a file that was removed may be used
    /// again: its times tell one from the other.
    private struct SecretFile: Equatable {
        private let device: UInt64
        private let number: UInt64
        private let byteCount: Int
        private let ownerID: UInt32
        private let modificationTime: [Int]
        private let changeTime: [Int]

        /// The file under a path; nil if there is none, or that cannot be said.
        init?(at path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            #if canImport(Darwin)
            let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
            #else
            let (modification, change) = (status.st_mtim, status.st_ctim)
            #endif
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            byteCount = Int(status.st_size)
            ownerID = status.st_uid
            modificationTime = [Int(modification.tv_sec), Int(modification.tv_nsec)]
            changeTime = [Int(change.tv_sec), Int(change.tv_nsec)]
        }
    }

    private struct State {
        var opened: Opened?
        /// The secret in it; nil if it was not read.
        var secret: DirectorySecret?
        /// The file that the secret was read from; nil if it is to be read again.
        var secretFile: SecretFile?
        /// The file that the secret was read from, also where it is to be read again; nil if the path may have led
        /// to another directory than the one that was open.
        var lastSecretFile: SecretFile?
        /// The time of the last look at where the path leads.
        var looked = Duration.zero
        /// Whether the file system reads nothing without waiting.
        var refusesImmediateReads = false
    }

    /// The time between looks at where the path leads.
    private static let interval = Duration.seconds(1)

    /// Its path, without a slash at the end.
    public let path: String

    private let state = Lock(State())

    /// A directory that may not be there yet.
    public init(_ path: String) { self.path = path }

    /// Lets the directory go: the next read finds it again by its path.
    func reset() {
        state.withLock { state in
            state.opened = nil
            state.secretFile = nil
        }
    }

    /// Lets the directory go if its path leads elsewhere by now, or it has another secret, which is looked at once a
    /// second.
    /// - Parameter now: The time by a clock that never goes back.
    /// - Returns: Whether it was time to look: the last look is a second old, or the directory is not open.
    @discardableResult
    func refresh(at now: Duration) -> Bool {
        let (isTime, known) = state.withLock { state -> (Bool, (opened: Opened, secretFile: SecretFile?)?) in
            guard state.opened == nil || now - state.looked >= Self.interval else { return (false, nil) }
            // If it is not open, this read finds it by its path.
            state.looked = now
            return (true, state.opened.map { ($0, state.secretFile) })
        }
        guard let known else { return isTime }
        let isElsewhere = !known.opened.isAt(path)
        guard isElsewhere || known.secretFile != currentSecretFile else { return isTime }
        state.withLock { state in
            guard state.opened === known.opened else { return }
            state.opened = nil
            state.secretFile = nil
            // The secret is that of the directory that was open.
            if isElsewhere { state.lastSecretFile = nil }
        }
        return isTime
    }

    /// Opens a file for reading by its path below the directory. A pipe that another process put there must not hold
    /// up, nor a link lead elsewhere.
    func openFile(_ name: String) throws(FileSystemError) -> Int32 {
        guard let opened = state.withLock({ $0.opened }) else { return try openAnew(name) }
        do throws(FileSystemError) {
            return try opened.openFile(name, path: "\(path)/\(name)")
        } catch {
            // Another process may have put another directory in its place, or none; a server may not know it any more.
            guard error.code == ESTALE || error.code == ENOENT && !opened.isAt(path) else { throw error }
            return try openAnew(name)
        }
    }

    private func openAnew(_ name: String) throws(FileSystemError) -> Int32 {
        let descriptor = try retrying("open", "\(path)/\(name)") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        let found = Opened(descriptor)
        state.withLock { state in
            state.opened = found
            state.secretFile = nil
        }
        return try found.openFile(name, path: "\(path)/\(name)")
    }
}

// MARK: - The secret

extension KeptDirectory {
    /// The secret of the directory; nil if it is to be read, or there is none.
    var secret: DirectorySecret? { state.withLock { $0.secretFile == nil ? nil : $0.secret } }

    /// The secret that was read last, which the directory may not have any more.
    var lastSecret: DirectorySecret? { state.withLock { $0.secret } }

    /// The secret that was read last, if the path still leads to the file that it was read from; nil otherwise.
    var unchangedSecret: DirectorySecret? {
        let known = state.withLock { ($0.secret, $0.lastSecretFile) }
        guard let file = known.1, file == currentSecretFile else { return nil }
        return known.0
    }

    /// Reads the secret, unless it is known; nil if there is none.
    /// - Parameter trustsOtherUsers: Whether one counts that belongs to another user.
    func readSecret(_ files: any FileSystem, trustsOtherUsers: Bool) throws(FileSystemError) -> DirectorySecret? {
        if let secret { return secret }
        // Asked first: another file that is put in its place meanwhile is found the next time.
        let file = currentSecretFile
        guard let content = try files.secretContent(in: self, trustsOtherUsers: trustsOtherUsers) else { return nil }
        return keep(content, from: file)
    }

    /// The secret of these bytes: the object that was known before where they are the same.
    private func keep(_ bytes: Data, from file: SecretFile?) -> DirectorySecret? {
        let secret = lastSecret.flatMap { $0.bytes.elementsEqual(bytes) ? $0 : nil } ?? DirectorySecret(bytes)
        // The bytes are those of the directory that is open, the file is that of the directory that the path leads to.
        let isSameDirectory = state.withLock { $0.opened }?.isAt(path) == true
        state.withLock { state in
            state.secret = secret
            state.secretFile = secret == nil ? nil : file
            state.lastSecretFile = isSameDirectory ? state.secretFile : nil
        }
        return secret
    }

    /// The file with the secret that the path leads to now.
    private var currentSecretFile: SecretFile? { SecretFile(at: "\(path)/\(DiskEntryName.secret)") }
}

// MARK: - Without waiting

extension KeptDirectory {
    /// The result of opening a file without waiting.
    enum ImmediateOpening {
        case opened(Int32)
        /// There is none.
        case absent
        case unknown
    }

    /// The secret of the directory, if it is open and somebody has looked lately where its path leads; nil otherwise.
    func upToDateSecret(at now: Duration) -> DirectorySecret? {
        state.withLock { state in
            let isUpToDate = state.opened != nil && state.secretFile != nil && now - state.looked < Self.interval
            return isUpToDate ? state.secret : nil
        }
    }

    #if os(Linux)
    /// Opens a file for reading by its path below the directory if the directory is open and the system has in memory
    /// where the file is.
    func openFileImmediately(_ name: String) -> ImmediateOpening {
        let opened = state.withLock { $0.refusesImmediateReads ? nil : $0.opened }
        guard let opened else { return .unknown }
        let outcome = opened.openCachedFile(name)
        if outcome >= 0 { return .opened(outcome) }
        // Another process may have put another directory in its place, or none.
        return outcome == -ENOENT && opened.isCertainlyAt(path) ? .absent : .unknown
    }

    /// Takes note that the file system reads nothing without waiting, so that it is not asked again.
    func refuseImmediateReads() { state.withLock { $0.refusesImmediateReads = true } }
    #endif
}
