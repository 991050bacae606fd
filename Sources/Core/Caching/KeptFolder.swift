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

/// A folder below which files are read again and again, kept open: the system then need not find it each time.
///
/// Thread-safe.
public final class KeptFolder: Sendable {
    /// The folder while it is open; closed when the last who uses it lets it go.
    private final class Opened: Sendable {
        private let descriptor: Int32

        #if os(Linux)
        /// Whether files of this folder are opened without waiting where that is asked for.
        private let keepsCached: Bool

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            keepsCached = cf_keeps_cached(descriptor)
        }
        #else
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        #endif

        deinit { close(descriptor) }

        /// Opens a file below the folder for reading, following no link. The folder stays open meanwhile, whoever else
        /// lets it go.
        func openFile(_ name: String, path: @autoclosure () -> String) throws(FileSystemError) -> Int32 {
            defer { withExtendedLifetime(self) {} }
            return try retrying("open", path()) {
                let outcome = LinklessPath.openFile(name, below: descriptor)
                if outcome < 0 { errno = -outcome }
                return outcome
            }
        }

        /// Whether the folder is still the one that a path leads to.
        func isAt(_ path: String) -> Bool {
            guard let mine = FolderIdentity(of: descriptor) else { return false }
            return (try? FolderIdentity(of: path)) == mine
        }

        #if os(Linux)
        /// Opens a file below the folder for reading, without waiting; an error number below zero where it does not.
        func openCachedFile(_ name: String) -> Int32 {
            defer { withExtendedLifetime(self) {} }
            return keepsCached ? CachedFile.open(name, below: descriptor) : -EAGAIN
        }

        /// Whether the folder is still the one that a path leads to; false where that cannot be said without waiting.
        func isCertainlyAt(_ path: String) -> Bool {
            let other = CachedFile.openFolder(path)
            guard other >= 0 else { return false }
            defer { close(other) }
            guard let mine = FolderIdentity(of: descriptor) else { return false }
            return FolderIdentity(of: other) == mine
        }
        #endif
    }

    private struct State {
        var opened: Opened?
        /// When somebody last looked where the path leads.
        var looked = Duration.zero
        /// Whether the file system reads nothing without waiting.
        var refusesPromptReads = false
    }

    /// So often is looked where the path leads.
    private static let interval = Duration.seconds(1)

    /// Its path, without a slash at the end.
    public let path: String

    private let state = Lock(State())

    /// A folder that may not be there yet.
    public init(_ path: String) { self.path = path }

    /// Lets the folder go: whoever reads next finds it again by its path.
    func reset() { state.withLock { $0.opened = nil } }

    /// Lets the folder go if its path leads elsewhere by now, which is looked at once a second.
    /// - Parameter now: The time by a clock that never goes back.
    /// - Returns: Whether it was time to look: the last look is a second old, or the folder is not open.
    @discardableResult
    func refresh(at now: Duration) -> Bool {
        let (isTime, opened) = state.withLock { state -> (Bool, Opened?) in
            guard state.opened == nil || now - state.looked >= Self.interval else { return (false, nil) }
            // Where it is not open, whoever reads now finds it by its path.
            state.looked = now
            return (true, state.opened)
        }
        if let opened, !opened.isAt(path) {
            state.withLock { if $0.opened === opened { $0.opened = nil } }
        }
        return isTime
    }

    /// Opens a file for reading by its path below the folder. A pipe that somebody put there must not hold up, nor a
    /// link lead elsewhere.
    func openFile(_ name: String) throws(FileSystemError) -> Int32 {
        guard let opened = state.withLock({ $0.opened }) else { return try openAnew(name) }
        do throws(FileSystemError) {
            return try opened.openFile(name, path: "\(path)/\(name)")
        } catch {
            // Somebody may have put another folder in its place, or none; a server may not know it any more.
            guard error.code == ESTALE || error.code == ENOENT && !opened.isAt(path) else { throw error }
            return try openAnew(name)
        }
    }

    private func openAnew(_ name: String) throws(FileSystemError) -> Int32 {
        let descriptor = try retrying("open", "\(path)/\(name)") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        let found = Opened(descriptor)
        state.withLock { $0.opened = found }
        return try found.openFile(name, path: "\(path)/\(name)")
    }
}

// MARK: - Without waiting

extension KeptFolder {
    /// How it ended to open a file without waiting.
    enum PromptOpening {
        case opened(Int32)
        /// There is none.
        case absent
        case unknown
    }

    /// Whether it is open, and somebody has looked lately where its path leads.
    func isUpToDate(at now: Duration) -> Bool {
        state.withLock { $0.opened != nil && now - $0.looked < Self.interval }
    }

    #if os(Linux)
    /// Opens a file for reading by its path below the folder if the folder is open and the system has in memory where
    /// the file is.
    func openFilePromptly(_ name: String) -> PromptOpening {
        let opened = state.withLock { $0.refusesPromptReads ? nil : $0.opened }
        guard let opened else { return .unknown }
        let outcome = opened.openCachedFile(name)
        if outcome >= 0 { return .opened(outcome) }
        // Somebody may have put another folder in its place, or none.
        return outcome == -ENOENT && opened.isCertainlyAt(path) ? .absent : .unknown
    }

    /// Takes note that the file system reads nothing without waiting, so that nobody asks again.
    func refusePromptReads() { state.withLock { $0.refusesPromptReads = true } }
    #endif
}
