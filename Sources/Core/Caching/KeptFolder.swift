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

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Opens a file below the folder for reading; returns the error number when that failed. The folder stays open
        /// meanwhile, whoever else lets it go.
        func openFile(_ name: String) -> (descriptor: Int32, code: Int32) {
            withExtendedLifetime(self) {
                // A string passed to C is copied; the bytes that it has are lent instead.
                name.withCString { name -> (descriptor: Int32, code: Int32) in
                    while true {
                        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                        // Taken at once: whatever is called next may change it.
                        let code = file < 0 ? errno : 0
                        if code != EINTR { return (file, code) }
                    }
                }
            }
        }

        /// Whether the folder is still the one that a path leads to.
        func isAt(_ path: String) -> Bool {
            guard let mine = FolderIdentity(of: descriptor) else { return false }
            return (try? FolderIdentity(of: path)) == mine
        }
    }

    /// Its path, without a slash at the end.
    public let path: String

    private let opened = Lock<Opened?>(nil)

    /// A folder that may not be there yet.
    public init(_ path: String) { self.path = path }

    /// Lets the folder go: whoever reads next finds it again by its path.
    func reset() { opened.withLock { $0 = nil } }

    /// Opens a file for reading by its path below the folder. A pipe that somebody put there must not hold up, nor a
    /// link lead elsewhere.
    func openFile(_ name: String) throws(FileSystemError) -> Int32 {
        guard let opened = opened.withLock({ $0 }) else { return try openAnew(name) }
        let file = opened.openFile(name)
        // Somebody may have put another folder in its place, or none.
        if file.code == ENOENT, !opened.isAt(path) { return try openAnew(name) }
        return try checked(file, name)
    }

    private func openAnew(_ name: String) throws(FileSystemError) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystemError(code: errno, operation: "open", path: "\(path)/\(name)") }
        let found = Opened(descriptor)
        opened.withLock { $0 = found }
        return try checked(found.openFile(name), name)
    }

    private func checked(
        _ file: (descriptor: Int32, code: Int32), _ name: String
    ) throws(FileSystemError) -> Int32 {
        guard file.code == 0 else { throw FileSystemError(code: file.code, operation: "open", path: "\(path)/\(name)") }
        return file.descriptor
    }
}
