#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The identity of a file or directory. Two paths that lead to the same file have equal identities.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// Whether the path leads to a directory.
    let isDirectory: Bool

    /// Creates the identity of the file or directory at a path. Returns nil if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
    }
}
