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

        /// Opens a file below the folder for reading. The folder stays open meanwhile, whoever else lets it go.
        func openFile(_ name: String) -> Int32 {
            withExtendedLifetime(self) {
                // A string passed to C is copied; the bytes that it has are lent instead.
                name.withCString { openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
            }
        }

        /// Whether the folder is still the one that a path leads to.
        func isAt(_ path: String) -> Bool {
            var (mine, there) = (stat(), stat())
            return fstat(descriptor, &mine) == 0 && stat(path, &there) == 0
                && mine.st_dev == there.st_dev && mine.st_ino == there.st_ino
        }
    }

    /// Its path, without a slash at the end.
    public let path: String

    private let opened = Lock<Opened?>(nil)

    /// A folder that may not be there yet.
    public init(_ path: String) { self.path = path }

    /// Lets the folder go: whoever reads next finds it again by its path.
    func reset() { opened.withLock { $0 = nil } }

    /// Opens a file for reading by its path below the folder; negative when that failed, with the reason in `errno`. A
    /// pipe that somebody put there must not hold up, nor a link lead elsewhere.
    func openFile(_ name: String) -> Int32 {
        guard let opened = opened.withLock({ $0 }) else { return openAnew(name) }
        let file = opened.openFile(name)
        guard file < 0, errno == ENOENT, !opened.isAt(path) else { return file }
        // Somebody has put another folder in its place, or none.
        return openAnew(name)
    }

    private func openAnew(_ name: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return descriptor }
        let found = Opened(descriptor)
        opened.withLock { $0 = found }
        return found.openFile(name)
    }
}
