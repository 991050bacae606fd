#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// Returns the secret that a directory has now; nil if there is none. The secret is read again if its file may have
    /// changed.
    func presentSecret(in root: String) throws(FileSystemError) -> DirectorySecret? {
        if root == self.root, let secret = entries.unchangedSecret { return secret }
        // The secret is not read through the directory that is kept open, since another one may have taken its place.
        let content = try files.secretContent(
            in: KeptDirectory(root), trustsOtherUsers: configuration.trustsOtherUsers)
        guard let content else { return nil }
        if let known = entries.lastSecret, known.bytes.elementsEqual(content) { return known }
        return DirectorySecret(content)
    }

    /// Returns the secret of the directory that this cache keeps open; nil if there is none. Reads it if necessary.
    func keptSecret() throws(FileSystemError) -> DirectorySecret? {
        try entries.readSecret(files, trustsOtherUsers: configuration.trustsOtherUsers)
    }

    /// Returns the secret of the cache's directory. If there is none, creates one. A secret that this user cannot read
    /// but may replace is replaced.
    func secretForStoring() throws(FileSystemError) -> DirectorySecret {
        // If the secret cannot be read, the error is thrown below, unless the secret can be replaced.
        if let secret = try? keptSecret() { return secret }
        return try giveSecret(makeSecret(), to: root)
    }

    /// Returns the secret of a directory. If there is none, writes the given secret, and creates missing directories.
    /// Concurrent calls return the same secret, provided that the file system supports hard links and that no invalid
    /// secret must be replaced.
    ///
    /// The secret is on the disk before an entry is stored, even if the cache is not configured to store entries
    /// durably, because no entry can be found without it.
    /// - Parameters:
    ///   - secret: The secret to write if the directory has none.
    ///   - root: The path of the layout directory (`v2`).
    func giveSecret(
        _ secret: @autoclosure () -> DirectorySecret, to root: String
    ) throws(FileSystemError) -> DirectorySecret {
        if let present = try presentSecretUnlessReplaceable(in: root) { return present }
        let path = "\(root)/\(DiskEntryName.secret)"
        let made = "\(root)/\(DiskEntryName.temporary())"
        try files.createDirectories(root)
        try files.writeFile(
            [Data(secret().bytes)], to: made, through: "\(root)/\(DiskEntryName.temporary())",
            modificationTime: time.wallTime(), isReadOnly: false, isDurable: true)
        // The file at `made` is a second path of the secret, or a secret that came too late. If it cannot be removed
        // here, it is removed later as a leftover.
        defer { _ = try? files.removeFileIfPresent(made) }
        do throws(FileSystemError) {
            try files.linkFile(made, to: path)
        } catch {
            if error.code == EEXIST, let present = try presentSecretUnlessReplaceable(in: root) { return present }
            // The existing item is not a valid secret, or a file cannot have two paths here. If several processes do
            // this at once, the last secret remains, and the others find it at their next store.
            guard [EEXIST, EPERM, ENOTSUP, EMLINK, ENOSYS].contains(error.code) else { throw error }
            if try files.attributesIfPresent(of: path)?.kind == .directory { try files.removeDirectoryWithItems(path) }
            try files.move(made, to: path)
        }
        for directory in [root, Self.parent(of: root), Self.parent(of: Self.parent(of: root))] {
            do throws(FileSystemError) {
                try files.synchronizeDirectory(directory)
            } catch {
                // A directory that this user cannot read, or that cannot be synchronized, does not keep entries from
                // being stored.
                if configuration.durability == .full { throw error }
            }
        }
        guard let present = try presentSecret(in: root) else {
            throw FileSystemError(code: ENOENT, operation: "open", path: path)
        }
        return present
    }

    /// Returns the secret of a directory; nil if there is none, or if this user cannot read it but may replace it.
    private func presentSecretUnlessReplaceable(in root: String) throws(FileSystemError) -> DirectorySecret? {
        do throws(FileSystemError) {
            return try presentSecret(in: root)
        } catch {
            guard error.code == EACCES, let ownership = try files.ownership(of: root),
                ownership.ownerID == ownership.userID
            else { throw error }
            return nil
        }
    }
}
