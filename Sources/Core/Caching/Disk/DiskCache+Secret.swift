#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// The secret that a directory has at this moment, whatever was read before; nil if it has none.
    func presentSecret(in root: String) throws(FileSystemError) -> DirectorySecret? {
        if root == self.root, let secret = entries.unchangedSecret { return secret }
        // Not through the directory that is kept open: another may have taken its place.
        let content = try files.secretContent(
            in: KeptDirectory(root), trustsOtherUsers: configuration.trustsOtherUsers)
        guard let content else { return nil }
        if let known = entries.lastSecret, known.bytes.elementsEqual(content) { return known }
        return DirectorySecret(content)
    }

    /// The secret of the directory that is kept open; nil if it has none.
    func keptSecret() throws(FileSystemError) -> DirectorySecret? {
        try entries.readSecret(files, trustsOtherUsers: configuration.trustsOtherUsers)
    }

    /// The secret of the directory, which is given one where it has none.
    func secretForStoring() throws(FileSystemError) -> DirectorySecret {
        // What keeps it from being read is told below, unless it is one to be replaced.
        if let secret = try? keptSecret() { return secret }
        return try giveSecret(makeSecret(), to: root)
    }

    /// Gives a directory a secret unless it has one; missing directories are made. Returns the directory's secret:
    /// concurrent calls all return the same.
    ///
    /// It is on the disk before an entry is stored, however durable entries are: without it none of them is found.
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
        // The same file under another path, or one that came too late. What stays is taken for a leftover in time.
        defer { _ = try? files.removeFileIfPresent(made) }
        do throws(FileSystemError) {
            try files.linkFile(made, to: path)
        } catch {
            if error.code == EEXIST, let present = try presentSecretUnlessReplaceable(in: root) { return present }
            // What is there is no secret; or a file cannot have two paths here. Should somebody do the same at this
            // instant, the last of them stays, and the others find it when they store the next time.
            guard [EEXIST, EPERM, ENOTSUP, EMLINK, ENOSYS].contains(error.code) else { throw error }
            if try files.attributesIfPresent(of: path)?.kind == .directory { try files.removeDirectoryWithItems(path) }
            try files.move(made, to: path)
        }
        for directory in [root, Self.parent(of: root), Self.parent(of: Self.parent(of: root))] {
            do throws(FileSystemError) {
                try files.synchronizeDirectory(directory)
            } catch {
                // One that this user cannot read, or that a file system cannot synchronize, is no reason not to store.
                if configuration.durability == .full { throw error }
            }
        }
        guard let present = try presentSecret(in: root) else {
            throw FileSystemError(code: ENOENT, operation: "open", path: path)
        }
        return present
    }

    /// The secret of a directory; nil too where this user owns the directory and may not read the file, which another
    /// user made: it can then be replaced.
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
