#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// What changes something is called with the folder that it is in, open, and not with its path: another user may put a
// link in the place of a folder while the system follows the path.
extension LocalFileSystem {
    /// Makes a change in the folder that an item is in, by a system call that returns 0 or sets `errno`.
    func change(
        _ operation: String, _ path: String, _ call: (_ folder: Int32, _ name: String) -> Int32
    ) throws(FileSystemError) {
        let code = try inFolder(of: path, to: operation) { (folder: Int32, name: String) -> Int32 in
            call(folder, name) == 0 ? 0 : errno
        }
        if code != 0 { throw FileSystemError(code: code, operation: operation, path: path) }
    }

    /// Makes a change in the folders that an item is in and is to be in, likewise.
    func change(
        _ operation: String, _ path: String, to destination: String,
        _ call: (_ folder: Int32, _ name: String, _ target: Int32, _ newName: String) -> Int32
    ) throws(FileSystemError) {
        try inFolder(of: destination, to: operation) { (target: Int32, new: String) throws(FileSystemError) -> Void in
            try change(operation, path) { folder, name in call(folder, name, target, new) }
        }
    }

    /// Calls `body` with the folder that an item is in, open, and the name of the item there.
    ///
    /// Below a folder that this is confined to, no link is followed on the way. Elsewhere the folder is the working
    /// directory, and the name the whole path.
    func inFolder<Answer>(
        of path: String, to operation: String,
        _ body: (_ folder: Int32, _ name: String) throws(FileSystemError) -> Answer
    ) throws(FileSystemError) -> Answer {
        guard let root = roots.first(where: { path.utf8.starts(with: $0.utf8) }) else {
            return try body(AT_FDCWD, path)
        }
        let rootFolder = try retrying(operation, path) {
            open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC | LinklessPath.searchOnly)
        }
        defer { close(rootFolder) }
        let item = path[path.utf8.index(path.startIndex, offsetBy: root.utf8.count)...]
        guard let slash = item.utf8.lastIndex(of: UInt8(ascii: "/")) else { return try body(rootFolder, String(item)) }
        let folder = try retrying(operation, path) {
            let outcome = LinklessPath.openFolder(String(item[..<slash]), below: rootFolder)
            if outcome < 0 { errno = -outcome }
            return outcome
        }
        defer { close(folder) }
        return try body(folder, Self.lastName(of: path))
    }

    /// The name of an item in the folder that it is in.
    static func lastName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
