#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileSystem {
    /// Returns the content of the file with the secret of a cache's directory. Returns nil if there is none, if it is
    /// not a file, or if it belongs to a user who is not trusted: that user would know all names made with it.
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

    /// Returns whether a file or directory belongs to this user or to root, or this process runs as root. The user with
    /// whose permissions this process opens files is determined only if the answer depends on it.
    func isTrusted(_ attributes: FileAttributes, in directory: String) throws(FileSystemError) -> Bool {
        guard !attributes.isOwn, let ownerID = attributes.ownerID else { return true }
        guard let userID = try ownership(of: directory)?.userID else { return false }
        return DirectoryOwnership(ownerID: ownerID, userID: userID).objection == nil
    }
}

extension FileAttributes {
    /// Whether the owner is the effective user of this process, or is not known.
    var isOwn: Bool { ownerID.map { $0 == geteuid() } ?? true }
}
