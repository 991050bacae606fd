#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// A cache shares its directory with other processes, so an item that it is about to use may be gone. The methods below
// do not treat this as a failure.
extension FileSystem {
    /// Returns the items of a directory. Returns an empty array if the directory does not exist.
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

    /// Returns the items of a cache's layout directory (`v2`), even if it is reached through a symbolic link. Returns
    /// an empty array if it does not exist.
    func itemsIfPresent(
        inRoot root: String
    ) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        do throws(FileSystemError) {
            return try itemsIfPresent(in: "\(root)/.")
        } catch {
            throw FileSystemError(code: error.code, operation: error.operation, path: root)
        }
    }

    /// Returns the attributes of a file or directory. Returns nil if nothing exists at the path.
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

    /// Removes a file if it exists. Returns whether this call removed it.
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

    /// Returns the path of the first item on a directory's path that is not a directory, such as a symbolic link.
    /// Returns nil if there is none.
    ///
    /// A regular file in the place of the first directory on the path is not returned, because caches do not create
    /// one there and must not remove it. Throws `ENOTDIR` if the path continues below such a file. Throws `EPERM` if
    /// one of the directories belongs to an untrusted user.
    /// - Parameters:
    ///   - name: The path of the directory, relative to `directory`.
    ///   - directory: The path of a cache's layout directory (`v2`).
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

    /// Removes a directory if it exists and is empty. Does nothing if the path leads to a link, a file or a mount.
    func removeDirectoryIfEmpty(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try removeDirectory(path)
        } catch {
            if ![ENOENT, ENOTEMPTY, EEXIST, ENOTDIR, EBUSY].contains(error.code) { throw error }
        }
    }
}

extension FileSystemError {
    /// The value of ``operation`` in the error for a directory that belongs to another user.
    static let foreignDirectory = "use the directory of another user"

    /// Whether the error says that a directory is not used because it belongs to another user.
    var isForeignDirectory: Bool { code == EPERM && operation == Self.foreignDirectory }

    /// Whether the error says that there is no item of the expected kind at the path.
    var isAbsence: Bool { [ENOENT, ENOTDIR, EISDIR, ELOOP, ENXIO].contains(code) }
}
