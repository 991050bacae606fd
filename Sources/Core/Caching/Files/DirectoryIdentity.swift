#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The identity of a directory. It is the same for all paths that lead to the directory, through links or through
/// several mounts of the same disk.
public struct DirectoryIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Creates the identity of the item that a path leads to, following links. Returns nil if nothing exists there.
    init?(of path: String) throws(FileSystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw FileSystemError(code: code, operation: "stat", path: path)
        }
        self.init(status)
    }

    /// Creates the identity of an open file or directory. Returns nil if it cannot be determined.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns whether a path leads to this directory or to an item below it, or would do so if its missing directories
    /// were created. An item on the path that cannot be examined counts as missing.
    func contains(_ path: String, _ files: any FileSystem) -> Bool {
        var path = path
        var above = try? files.identity(of: path)
        while above == nil, path != "/" {
            path = DiskCache.parent(of: path)
            above = try? files.identity(of: path)
        }
        // Goes up by appending `..` instead of removing the last name. For a link, the system then returns the parent
        // of the link's target.
        while let directory = above, directory != self {
            path += "/.."
            above = try? files.identity(of: path)
            if above == directory { return false }
        }
        return above == self
    }
}
