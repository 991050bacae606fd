#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The identity of the file or directory at a path, equal for two paths to the same one.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// Whether it is a directory.
    let isDirectory: Bool

    /// Returns nil if the path does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
    }
}
