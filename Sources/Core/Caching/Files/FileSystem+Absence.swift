#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// A cache shares its directory with other processes, so what it is about to touch may be gone: that is no failure.
extension FileSystem {
    /// Everything in a directory; nothing when it is not there.
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

    /// Everything in the directory of a cache's layout, which may be reached through a link, unlike those in it;
    /// nothing when it is not there.
    func itemsIfPresent(
        inRoot root: String
    ) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        do throws(FileSystemError) {
            return try itemsIfPresent(in: "\(root)/.")
        } catch {
            throw FileSystemError(code: error.code, operation: error.operation, path: root)
        }
    }

    /// The attributes of a file or directory; nil when it is not there.
    func attributesIfPresent(of path: String) throws(FileSystemError) -> FileAttributes? {
        do throws(FileSystemError) {
            return try attributes(of: path)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Whether there is anything under a path.
    func isPresent(_ path: String) throws(FileSystemError) -> Bool { try attributesIfPresent(of: path) != nil }

    /// Removes a file; false if another process has.
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

    /// The first item that is no directory, such as a symbolic link, on the path of a directory below that of a cache's
    /// layout; nil when there is none, as far as there is anything. A file in the place of a shard is for its owner to
    /// remove, and does not count.
    ///
    /// Throws `EPERM` where one of the directories belongs to another user.
    /// - Parameter trustsOtherUsers: Whether it may.
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

    /// Removes a directory, unless another process has, there is something in it, or it is no directory but a link or a
    /// mount.
    func removeDirectoryIfEmpty(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try removeDirectory(path)
        } catch {
            if ![ENOENT, ENOTEMPTY, EEXIST, ENOTDIR, EBUSY].contains(error.code) { throw error }
        }
    }
}

extension FileSystemError {
    /// The operation that is refused on a directory of another user.
    static let foreignDirectory = "use the directory of another user"

    /// Whether a directory is not used since it belongs to another user.
    var isForeignDirectory: Bool { code == EPERM && operation == Self.foreignDirectory }

    /// Whether there is no such file, whatever may be in its place.
    var isAbsence: Bool { [ENOENT, ENOTDIR, EISDIR, ELOOP, ENXIO].contains(code) }
}
