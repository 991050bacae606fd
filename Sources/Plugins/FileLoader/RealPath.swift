#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A path in the file system without symbolic links.
///
/// The path is stored as bytes, because file names need not be UTF-8.
struct RealPath: Equatable {
    private let bytes: [UInt8]

    /// Creates the path of an open file. Returns nil if the system does not report the path. Blocks.
    ///
    /// The path is determined from the descriptor, so that a check of the path applies to the open file even if another
    /// file has taken its name.
    init?(of descriptor: Int32) {
        // This exceeds any path that a system call accepts or returns.
        var room = [UInt8](repeating: 0, count: 2 * Self.longestPath)
        #if canImport(Darwin)
        guard fcntl(descriptor, F_GETPATH, &room) == 0 else { return nil }
        let path = room.prefix { $0 != 0 }
        #else
        let count = room.withUnsafeMutableBytes { room in
            readlink("/proc/self/fd/\(descriptor)", room.baseAddress!.assumingMemoryBound(to: CChar.self), room.count)
        }
        // A path that fills the buffer may be truncated.
        guard count > 0, count < room.count else { return nil }
        let path = room.prefix(count)
        #endif
        guard path.first == UInt8(ascii: "/") else { return nil }
        bytes = Array(path)
    }

    /// Creates the real path of an existing file or directory by following all symbolic links. Returns nil if the real
    /// path cannot be determined. Blocks.
    init?(_ path: String) {
        guard !path.utf8.contains(0), let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        bytes = Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }

    /// Creates the real path of `path` or, if `path` cannot be resolved, of its nearest parent that can be resolved.
    /// Returns nil if there is no such parent, or if `path` is longer than ``longestPath``. Blocks.
    init?(nearestTo path: String) {
        guard path.utf8.count <= Self.longestPath else { return nil }
        var rest = Substring(path)
        while true {
            if let found = RealPath(String(rest)) {
                self = found
                return
            }
            guard rest.utf8.count > 1, let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            rest = slash == rest.startIndex ? "/" : rest[..<slash]
        }
    }

    /// Returns whether this path is `directory` or below it. Whole names are compared: `/a/bc` is not in `/a/b`.
    func isInside(_ directory: RealPath) -> Bool {
        let root = [UInt8(ascii: "/")]
        return self == directory || bytes.starts(with: directory.bytes == root ? root : directory.bytes + root)
    }

    /// The maximum length of a path that the system accepts, in bytes.
    private static let longestPath = 4096
}
