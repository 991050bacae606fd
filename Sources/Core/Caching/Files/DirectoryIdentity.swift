#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The identity of the directory that a path leads to, through whatever links or mounts of the same disk.
public struct DirectoryIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Creates the identity of what a path leads to, links followed; nil if there is nothing.
    init?(of path: String) throws(FileSystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw FileSystemError(code: code, operation: "stat", path: path)
        }
        self.init(status)
    }

    /// Creates the identity of an open file or directory; nil if that cannot be told.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether a path leads into this directory, or would if the directories that are missing were made. False where
    /// that cannot be told.
    func contains(_ path: String, _ files: any FileSystem) -> Bool {
        var path = path
        var above = try? files.identity(of: path)
        while above == nil, path != "/" {
            path = DiskCache.parent(of: path)
            above = try? files.identity(of: path)
        }
        // From there as the system goes up, which past a link is not the way that the path is spelled.
        while let directory = above, directory != self {
            path += "/.."
            above = try? files.identity(of: path)
            if above == directory { return false }
        }
        return above == self
    }
}
