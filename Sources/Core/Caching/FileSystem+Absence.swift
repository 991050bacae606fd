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

    /// Removes a file, unless somebody has.
    func removeFileIfPresent(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try removeFile(path)
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// Removes a folder, unless somebody has or there is something in it.
    func removeFolderIfEmpty(_ path: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try removeFolder(path)
        } catch {
            if ![ENOENT, ENOTEMPTY, EEXIST].contains(error.code) { throw error }
        }
    }
}
