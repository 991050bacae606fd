#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// A cache shares its folder with other processes, so what it is about to touch may be gone: that is no failure.
extension FileSystem {
    /// Everything in a folder; nothing when it is not there.
    func itemsIfPresent(
        in folder: String
    ) throws(FileSystemError) -> [(name: String, attributes: FileAttributes)] {
        do throws(FileSystemError) {
            return try items(in: folder)
        } catch {
            if error.code == ENOENT { return [] }
            throw error
        }
    }

    /// The attributes of a file or folder; nil when it is not there.
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

    /// Removes a file; false when somebody has.
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

    /// Removes a folder, unless somebody has, there is something in it, or it is no folder but a link or a mount.
    func removeFolderIfEmpty(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try removeFolder(path)
        } catch {
            if ![ENOENT, ENOTEMPTY, EEXIST, ENOTDIR, EBUSY].contains(error.code) { throw error }
        }
    }
}

extension FileSystemError {
    /// Whether there is no such file, whatever may be in its place.
    var isAbsence: Bool { [ENOENT, ENOTDIR, EISDIR, ELOOP].contains(code) }
}
