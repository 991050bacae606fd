#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileSystem {
    /// The content of the file for the secret of a cache's directory; nil if there is none, where something else is
    /// in its place, and where it belongs to a user who is not to be trusted: that user would know all names under it.
    func secretContent(
        in directory: KeptDirectory, trustsOtherUsers: Bool
    ) throws(FileSystemError) -> Data? {
        do throws(FileSystemError) {
            let file = try contents(of: DiskEntryName.secret, in: directory, byteLimit: DirectorySecret.byteCount)
            if trustsOtherUsers { return file.data }
            return try isTrusted(file.attributes, in: directory.path) ? file.data : nil
        } catch {
            if error.isAbsence || error.code == EFBIG { return nil }
            throw error
        }
    }

    /// Whether a file or a directory belongs to this user or to root, or this process is root's. The directory that it
    /// is in is asked as whom this process opens files only where that matters.
    func isTrusted(_ attributes: FileAttributes, in directory: String) throws(FileSystemError) -> Bool {
        guard !attributes.isOwn, let ownerID = attributes.ownerID else { return true }
        guard let userID = try ownership(of: directory)?.userID else { return false }
        return DirectoryOwnership(ownerID: ownerID, userID: userID).objection == nil
    }
}

extension FileAttributes {
    /// Whether the owner is the user as whom this process runs, or is not known.
    var isOwn: Bool { ownerID.map { $0 == geteuid() } ?? true }
}
