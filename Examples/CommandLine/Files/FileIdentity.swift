#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a path leads to: equal for two paths to one file or directory.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// Whether it is a directory.
    let isDirectory: Bool

    /// Nil when nothing is there.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
    }
}
