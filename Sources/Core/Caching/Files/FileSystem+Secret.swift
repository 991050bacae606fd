#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FileSystem {
    /// Returns the content of the file that stores a directory's secret (``DirectorySecret``). Returns nil if there is
    /// no such regular file, or if it is too long. Also returns nil if the file belongs to an untrusted user, who could
    /// use the secret to guess keys from the names in the directory.
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

    /// Returns whether the owner of a file or directory is trusted. The user of this process, root and an unknown owner
    /// are trusted. A process that runs as root trusts every owner.
    /// - Parameter directory: The path of an existing directory, which is examined to find out with which user's
    ///   permissions this process accesses files.
    func isTrusted(_ attributes: FileAttributes, in directory: String) throws(FileSystemError) -> Bool {
        guard !attributes.isOwn, let ownerID = attributes.ownerID else { return true }
        guard let userID = try ownership(of: directory)?.userID else { return false }
        return DirectoryOwnership(ownerID: ownerID, userID: userID).objection == nil
    }
}

extension FileAttributes {
    /// Whether the owner of the file is the effective user of this process, or is not known.
    var isOwn: Bool { ownerID.map { $0 == geteuid() } ?? true }
}
