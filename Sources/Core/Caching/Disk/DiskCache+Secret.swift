#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// Returns the current secret of a directory, whatever was read before. Returns nil if it has none.
    func presentSecret(in root: String) throws(FileSystemError) -> DirectorySecret? {
        if root == self.root, let secret = entries.unchangedSecret { return secret }
        // Not through the directory that is kept open, since another one may have taken its place.
        let content = try files.secretContent(
            in: KeptDirectory(root), trustsOtherUsers: configuration.trustsOtherUsers)
        guard let content else { return nil }
        if let known = entries.lastSecret, known.bytes.elementsEqual(content) { return known }
        return DirectorySecret(content)
    }

    /// Returns the secret of the directory that is kept open. Returns nil if it has none.
    func keptSecret() throws(FileSystemError) -> DirectorySecret? {
        try entries.readSecret(files, trustsOtherUsers: configuration.trustsOtherUsers)
    }

    /// Returns the secret of the directory. Creates one if there is none.
    func secretForStoring() throws(FileSystemError) -> DirectorySecret {
        // If the secret cannot be read, the error is thrown below, unless the secret can be replaced.
        if let secret = try? keptSecret() { return secret }
        return try giveSecret(makeSecret(), to: root)
    }

    /// Gives a directory a secret unless it has one, and creates missing directories. Returns the secret of the
    /// directory, which is the same for all concurrent calls.
    ///
    /// The secret is on the disk before an entry is stored, whatever the durability of entries, since none can be found
    /// without it.
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
        // A second path of the secret, or a secret that came too late. If it remains, it is removed later as a
        // leftover.
        defer { _ = try? files.removeFileIfPresent(made) }
        do throws(FileSystemError) {
            try files.linkFile(made, to: path)
        } catch {
            if error.code == EEXIST, let present = try presentSecretUnlessReplaceable(in: root) { return present }
            // The existing item is no secret, or a file cannot have two paths here. If several processes do this at
            // once, the last secret remains, and the others find it at their next store.
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

    /// Returns the secret of a directory. Returns nil also if another user made the file, and this user may not read it
    /// but owns the directory: the secret can then be replaced.
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
