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

/// A directory that is kept open to read files below it, so that the system need not resolve its path for each read.
/// The secret of the directory (``DirectorySecret``) is kept in memory too.
///
/// Thread-safe.
public final class KeptDirectory: Sendable {
    /// An open directory. It is closed when the last reference to it is released.
    private final class Opened: Sendable {
        private let descriptor: Int32

        #if os(Linux)
        /// Whether the file system of the directory opens a file without waiting if the system has the file in memory.
        private let keepsCached: Bool

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            keepsCached = cf_keeps_cached(descriptor)
        }
        #else
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        #endif

        deinit { close(descriptor) }

        /// Opens a file below the directory for reading, without following symbolic links. The directory remains open
        /// during the call, even if another thread releases it.
        func openFile(_ name: String, path: @autoclosure () -> String) throws(FileSystemError) -> Int32 {
            defer { withExtendedLifetime(self) {} }
            return try retrying("open", path()) {
                let outcome = LinklessPath.openFile(name, below: descriptor)
                if outcome < 0 { errno = -outcome }
                return outcome
            }
        }

        /// Returns whether a path still leads to this directory. Returns false if that cannot be determined.
        func isAt(_ path: String) -> Bool {
            guard let mine = DirectoryIdentity(of: descriptor) else { return false }
            return (try? DirectoryIdentity(of: path)) == mine
        }

        #if os(Linux)
        /// Opens a file below the directory for reading, without waiting. Returns a negative error number on failure.
        func openCachedFile(_ name: String) -> Int32 {
            defer { withExtendedLifetime(self) {} }
            return keepsCached ? CachedFile.open(name, below: descriptor) : -EAGAIN
        }

        /// Returns, without waiting, whether a path still leads to this directory; false if that cannot be determined.
        func isCertainlyAt(_ path: String) -> Bool {
            let other = CachedFile.openDirectory(path)
            guard other >= 0 else { return false }
            defer { close(other) }
            guard let mine = DirectoryIdentity(of: descriptor) else { return false }
            return DirectoryIdentity(of: other) == mine
        }
        #endif
    }

    /// The identity and version of the file that stores a directory's secret. The times are included because a new file
    /// may have the inode number of a removed one.
    private struct SecretFile: Equatable {
        private let device: UInt64
        private let number: UInt64
        private let byteCount: Int
        private let ownerID: UInt32
        private let modificationTime: [Int]
        private let changeTime: [Int]

        /// Creates the identity of the file at a path. Returns nil if there is no file, or if it cannot be examined.
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
        /// The open directory; nil if the next read must open it.
        var opened: Opened?
        /// The secret that was read last; nil if none has been read, or if the last one was not valid.
        var secret: DirectorySecret?
        /// The file from which the secret was read; nil if the secret must be read again.
        var secretFile: SecretFile?
        /// The file from which `secret` was read, provided that the path led to the open directory then; otherwise nil.
        /// Kept even if the secret must be read again. Dropped when a check finds that the path leads elsewhere.
        var lastSecretFile: SecretFile?
        /// The time at which the path was last checked, on a clock that never goes back.
        var looked = Duration.zero
        /// Whether the file system does not support reading without waiting, so that no attempt is made.
        var refusesImmediateReads = false
    }

    /// The minimum time between two checks of the path.
    private static let interval = Duration.seconds(1)

    /// The path of the directory, without a slash at the end.
    public let path: String

    private let state = Lock(State())

    /// Creates a reference to a directory, which need not exist yet.
    public init(_ path: String) { self.path = path }

    /// Closes the directory. The next read opens it again by its path, and reads its secret again.
    func reset() {
        state.withLock { state in
            state.opened = nil
            state.secretFile = nil
        }
    }

    /// Closes the directory if its path now leads elsewhere, or if the file that stores its secret has changed. Checks
    /// this at most once a second.
    /// - Parameter now: The time of a clock that never goes back.
    /// - Returns: Whether a check was due. Always true if the directory is not open.
    @discardableResult
    func refresh(at now: Duration) -> Bool {
        let (isTime, known) = state.withLock { state -> (Bool, (opened: Opened, secretFile: SecretFile?)?) in
            guard state.opened == nil || now - state.looked >= Self.interval else { return (false, nil) }
            // If the directory is not open, the read that follows opens it by its path.
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
            // The secret belongs to the directory that was open.
            if isElsewhere { state.lastSecretFile = nil }
        }
        return isTime
    }

    /// Opens a file for reading by its relative path. Does not follow symbolic links, and does not block on a pipe.
    func openFile(_ name: String) throws(FileSystemError) -> Int32 {
        guard let opened = state.withLock({ $0.opened }) else { return try openAnew(name) }
        do throws(FileSystemError) {
            return try opened.openFile(name, path: "\(path)/\(name)")
        } catch {
            // Another process may have replaced or removed the directory, or a file server may no longer know it.
            guard error.code == ESTALE || error.code == ENOENT && !opened.isAt(path) else { throw error }
            return try openAnew(name)
        }
    }

    /// Opens the directory by its path, and then a file in it.
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
    /// The secret of the directory; nil if the secret must be read first or read again.
    var secret: DirectorySecret? { state.withLock { $0.secretFile == nil ? nil : $0.secret } }

    /// The secret that was read last, which may be outdated; nil if there is none or the last one was not valid.
    var lastSecret: DirectorySecret? { state.withLock { $0.secret } }

    /// The secret that was read last, if its file is still at the path and has not changed; otherwise nil.
    var unchangedSecret: DirectorySecret? {
        let known = state.withLock { ($0.secret, $0.lastSecretFile) }
        guard let file = known.1, file == currentSecretFile else { return nil }
        return known.0
    }

    /// Returns the secret of the directory, and reads it if it is not known. Returns nil if there is no valid secret,
    /// or if it belongs to an untrusted user.
    func readSecret(_ files: any FileSystem, trustsOtherUsers: Bool) throws(FileSystemError) -> DirectorySecret? {
        if let secret { return secret }
        // Examined before the content is read: if another file takes its place meanwhile, the next check notices the
        // change.
        let file = currentSecretFile
        guard let content = try files.secretContent(in: self, trustsOtherUsers: trustsOtherUsers) else { return nil }
        return keep(content, from: file)
    }

    /// Keeps the secret with the given bytes, and returns it. If the previous secret has the same bytes, keeps that
    /// object. Returns nil if the number of bytes is wrong.
    /// - Parameter file: The identity of the file from which the bytes were read.
    private func keep(_ bytes: Data, from file: SecretFile?) -> DirectorySecret? {
        let secret = lastSecret.flatMap { $0.bytes.elementsEqual(bytes) ? $0 : nil } ?? DirectorySecret(bytes)
        // The bytes are from the open directory, but `file` is in the directory to which the path leads.
        let isSameDirectory = state.withLock { $0.opened }?.isAt(path) == true
        state.withLock { state in
            state.secret = secret
            state.secretFile = secret == nil ? nil : file
            state.lastSecretFile = isSameDirectory ? state.secretFile : nil
        }
        return secret
    }

    /// The current identity of the file that stores the secret, found by the directory's path; nil if unknown.
    private var currentSecretFile: SecretFile? { SecretFile(at: "\(path)/\(DiskEntryName.secret)") }
}

// MARK: - Without waiting

extension KeptDirectory {
    /// The result of opening a file without waiting.
    enum ImmediateOpening {
        /// The descriptor of the open file.
        case opened(Int32)
        /// No such file exists.
        case absent
        /// The outcome cannot be determined without waiting.
        case unknown
    }

    /// Returns the secret of the directory. Returns nil if it must be read first, or if the path must be checked first.
    /// - Parameter now: The time of a clock that never goes back.
    func upToDateSecret(at now: Duration) -> DirectorySecret? {
        state.withLock { state in
            let isUpToDate = state.opened != nil && state.secretFile != nil && now - state.looked < Self.interval
            return isUpToDate ? state.secret : nil
        }
    }

    #if os(Linux)
    /// Opens a file for reading by its relative path. Returns `.unknown` if that is not possible without waiting.
    func openFileImmediately(_ name: String) -> ImmediateOpening {
        let opened = state.withLock { $0.refusesImmediateReads ? nil : $0.opened }
        guard let opened else { return .unknown }
        let outcome = opened.openCachedFile(name)
        if outcome >= 0 { return .opened(outcome) }
        // Another process may have replaced or removed the directory.
        return outcome == -ENOENT && opened.isCertainlyAt(path) ? .absent : .unknown
    }

    /// Notes that the file system does not support reading without waiting, so that it is not attempted again.
    func refuseImmediateReads() { state.withLock { $0.refusesImmediateReads = true } }
    #endif
}
