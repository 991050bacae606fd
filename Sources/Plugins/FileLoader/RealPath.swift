#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The path of something in the file system after all symbolic links have been followed.
///
/// Bytes, since names on a disk need not be UTF-8.
struct RealPath: Equatable {
    private let bytes: [UInt8]

    /// Creates the path of an open file; nil if the system does not tell it. Blocks.
    ///
    /// Asked of the descriptor, not of a path: nobody can put another file in its place meanwhile.
    init?(of descriptor: Int32) {
        // More than any path that a system call takes or gives.
        var room = [UInt8](repeating: 0, count: 2 * Self.longestPath)
        #if canImport(Darwin)
        guard fcntl(descriptor, F_GETPATH, &room) == 0 else { return nil }
        let path = room.prefix { $0 != 0 }
        #else
        let count = room.withUnsafeMutableBytes { room in
            readlink("/proc/self/fd/\(descriptor)", room.baseAddress!.assumingMemoryBound(to: CChar.self), room.count)
        }
        // What fills the room to its end may have been cut.
        guard count > 0, count < room.count else { return nil }
        let path = room.prefix(count)
        #endif
        guard path.first == UInt8(ascii: "/") else { return nil }
        bytes = Array(path)
    }

    /// Creates the path that another path leads to; nil if it leads nowhere. Blocks.
    init?(_ path: String) {
        guard !path.utf8.contains(0), let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        bytes = Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }

    /// Creates the path of the last existing item on the way to `path`; nil if that cannot be told. Blocks.
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

    /// Whether this is `directory`, or lies in it, however deep. Whole names are compared: `/a/bc` is not in `/a/b`.
    func isInside(_ directory: RealPath) -> Bool {
        let root = [UInt8(ascii: "/")]
        return self == directory || bytes.starts(with: directory.bytes == root ? root : directory.bytes + root)
    }

    /// The most bytes of a path that the system looks at.
    private static let longestPath = 4096
}
