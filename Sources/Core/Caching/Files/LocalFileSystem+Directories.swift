#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Below the directories of `roots`, changes are made relative to the open parent directory and not by path: another
// user could put a link in the place of a directory while the system follows the path.
extension LocalFileSystem {
    /// Makes a system call that creates, changes or removes an item of a directory.
    /// - Parameters:
    ///   - operation: The operation for an error message, as a verb.
    ///   - path: The path of the item.
    ///   - call: Makes the system call, given the open directory of the item and the name of the item in it. Returns 0
    ///     on success; otherwise sets `errno` and returns another number.
    func change(
        _ operation: String, _ path: String, _ call: (_ directory: Int32, _ name: String) -> Int32
    ) throws(FileSystemError) {
        let code = try inDirectory(of: path, to: operation) { (directory: Int32, name: String) -> Int32 in
            call(directory, name) == 0 ? 0 : errno
        }
        if code != 0 { throw FileSystemError(code: code, operation: operation, path: path) }
    }

    /// Makes a system call that takes two paths, for example to move an item. Passes the open directories of both paths
    /// to the call.
    /// - Parameters:
    ///   - operation: The operation for an error message, as a verb.
    ///   - path: The path of the item.
    ///   - destination: The second path.
    ///   - call: Makes the system call, given both open directories and the names in them. Returns 0 on success;
    ///     otherwise sets `errno` and returns another number.
    func change(
        _ operation: String, _ path: String, to destination: String,
        _ call: (_ directory: Int32, _ name: String, _ target: Int32, _ newName: String) -> Int32
    ) throws(FileSystemError) {
        try inDirectory(of: destination, to: operation) {
            (target: Int32, new: String) throws(FileSystemError) -> Void in
            try change(operation, path) { directory, name in call(directory, name, target, new) }
        }
    }

    /// Calls `body` with the open directory of an item, and with the name of the item in it.
    ///
    /// If the path lies below one of the directories to which this file system is confined, no symbolic link below that
    /// directory is followed. Otherwise, `body` receives the working directory and the whole path.
    func inDirectory<Answer>(
        of path: String, to operation: String,
        _ body: (_ directory: Int32, _ name: String) throws(FileSystemError) -> Answer
    ) throws(FileSystemError) -> Answer {
        guard let root = roots.first(where: { path.utf8.starts(with: $0.utf8) }) else {
            return try body(AT_FDCWD, path)
        }
        let rootDirectory = try retrying(operation, path) {
            open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC | LinklessPath.searchOnly)
        }
        defer { close(rootDirectory) }
        let item = path[path.utf8.index(path.startIndex, offsetBy: root.utf8.count)...]
        guard let slash = item.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return try body(rootDirectory, String(item))
        }
        let directory = try retrying(operation, path) {
            let outcome = LinklessPath.openDirectory(String(item[..<slash]), below: rootDirectory)
            if outcome < 0 { errno = -outcome }
            return outcome
        }
        defer { close(directory) }
        return try body(directory, Self.lastName(of: path))
    }

    /// Returns the last name of a path, which is the name of the item in its directory.
    static func lastName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
