#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// A cache shares its directory with other processes, so an item that it is about to use may be gone. That is no
// failure.
extension FileSystem {
    /// Returns the items of a directory, or none if the directory does not exist.
    func itemsIfPresent(
        in directory: String
    ) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        do throws(FileSystemError) {
            return try items(in: directory)
        } catch {
            if error.code == ENOENT { return [] }
            throw error
        }
    }

    /// Returns the items of the directory of a cache's layout, or none if it does not exist. Unlike the directories
    /// below, it may be reached through a link.
    func itemsIfPresent(
        inRoot root: String
    ) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        do throws(FileSystemError) {
            return try itemsIfPresent(in: "\(root)/.")
        } catch {
            throw FileSystemError(code: error.code, operation: error.operation, path: root)
        }
    }

    /// Returns the attributes of a file or directory. Returns nil if it does not exist.
    func attributesIfPresent(of path: String) throws(FileSystemError) -> FileAttributes? {
        do throws(FileSystemError) {
            return try attributes(of: path)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Returns whether there is an item at a path.
    func isPresent(_ path: String) throws(FileSystemError) -> Bool { try attributesIfPresent(of: path) != nil }

    /// Removes a file. Returns false if it does not exist, for example because another process has removed it.
    @discardableResult
    func removeFileIfPresent(_ path: String) throws(FileSystemError) -> Bool {
        do throws(FileSystemError) {
            try removeFile(path)
            return true
        } catch {
            if error.code == ENOENT { return false }
            throw error
        }
    }

    /// Returns the first item that is no directory, such as a symbolic link, on the path to a directory in a cache's
    /// layout. Returns nil if there is none, or if the path ends before. A file in the place of a shard does not count:
    /// its owner must remove it.
    ///
    /// Throws `EPERM` if one of the directories belongs to another user.
    /// - Parameter trustsOtherUsers: Whether directories may belong to other users.
    func obstacle(
        onPath name: String, below directory: String, trustsOtherUsers: Bool
    ) throws(FileSystemError) -> String? {
        var path = directory
        for (depth, component) in name.split(separator: "/").enumerated() {
            path += "/\(component)"
            guard let attributes = try attributesIfPresent(of: path) else { return nil }
            if attributes.kind == .other || attributes.kind == .file && depth > 0 { return path }
            if !trustsOtherUsers, try !isTrusted(attributes, in: directory) {
                throw FileSystemError(code: EPERM, operation: FileSystemError.foreignDirectory, path: path)
            }
        }
        return nil
    }

    /// Removes a directory. Does nothing if it does not exist, if it is not empty, or if it is a link, a file or a
    /// mount instead.
    func removeDirectoryIfEmpty(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try removeDirectory(path)
        } catch {
            if ![ENOENT, ENOTEMPTY, EEXIST, ENOTDIR, EBUSY].contains(error.code) { throw error }
        }
    }
}

extension FileSystemError {
    /// The operation of the error for a directory of another user.
    static let foreignDirectory = "use the directory of another user"

    /// Whether a directory is not used because it belongs to another user.
    var isForeignDirectory: Bool { code == EPERM && operation == Self.foreignDirectory }

    /// Whether the file does not exist, or something else is in its place.
    var isAbsence: Bool { [ENOENT, ENOTDIR, EISDIR, ELOOP, ENXIO].contains(code) }
}
