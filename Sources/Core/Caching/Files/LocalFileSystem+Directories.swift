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
    /// Makes a system call that creates, changes or removes a file or a directory.
    /// - Parameters:
    ///   - operation: The operation for an error message, as a verb.
    ///   - call: The system call. Its arguments are an open directory and a path relative to it. On failure, it sets
    ///     `errno` and returns a number other than 0.
    func change(
        _ operation: String, _ path: String, _ call: (_ directory: Int32, _ name: String) -> Int32
    ) throws(FileSystemError) {
        let code = try inDirectory(of: path, to: operation) { (directory: Int32, name: String) -> Int32 in
            call(directory, name) == 0 ? 0 : errno
        }
        if code != 0 { throw FileSystemError(code: code, operation: operation, path: path) }
    }

    /// Makes a system call that takes two paths, for example to move a file.
    /// - Parameters:
    ///   - operation: The operation for an error message, as a verb.
    ///   - call: The system call. Its arguments are, for each of the two paths, an open directory and a path relative
    ///     to it. On failure, it sets `errno` and returns a number other than 0.
    func change(
        _ operation: String, _ path: String, to destination: String,
        _ call: (_ directory: Int32, _ name: String, _ target: Int32, _ newName: String) -> Int32
    ) throws(FileSystemError) {
        try inDirectory(of: destination, to: operation) {
            (target: Int32, new: String) throws(FileSystemError) -> Void in
            try change(operation, path) { directory, name in call(directory, name, target, new) }
        }
    }

    /// Calls `body` with an open directory and the path of an item relative to it.
    ///
    /// For a path below a directory of `roots`, the directory is opened without following symbolic links below the
    /// root. For a path outside all `roots`, it is the working directory.
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
