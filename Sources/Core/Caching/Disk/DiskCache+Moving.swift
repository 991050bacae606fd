import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// Moves all entries to the directory of another disk cache. This cache continues to use its own directory. If
    /// nothing is left in that directory, it is removed; the next store creates it again.
    ///
    /// If there is no cache in the other directory yet, and it is on the same disk, the layout directory (`v2`) is
    /// renamed. Otherwise, entries are moved one by one; between disks, they are copied. If the other directory already
    /// has an entry for a key, it keeps that entry, and the entry in this directory is removed. Entries that are stored
    /// during the move may remain.
    ///
    /// The secret of the directory moves with its entries, unless the other directory has its own. In that case,
    /// entries are written again under the secret of the other directory. This is not possible for an entry whose key
    /// has secret values, because files do not contain them: such an entry is removed, and loaded again on demand.
    /// Entries that only another transform or another version of the library can read remain.
    ///
    /// Does nothing if both directories are the same, even under different paths. Throws, without moving anything, if
    /// the other directory lies among the entries of this one. If some entries cannot be moved, moves the others and
    /// then throws; call this again to move the rest.
    /// - Parameters:
    ///   - destination: The directory of the other cache, which is created if it does not exist.
    ///   - progress: Called with the progress, from 0 to 1, on the calling thread. It must not call the cache.
    public func move(to destination: URL, progress: (Double) -> Void = { _ in }) throws {
        entries.reset()
        let target = Self.root(of: destination)
        try checkDirectory(for: .store)
        guard let own = try identity(of: root), try identity(of: target) != own else { return }
        try checkDirectory(ofOther: target)
        if own.contains(target, files) {
            throw ImageError(
                .cacheFailed, stage: .store, component: "DiskCache", subject: target,
                message: "the cache cannot be moved into its own directory of entries; nothing was moved",
                advice: "pass a directory that is not in the cache's `\(DiskEntryName.layout)` directory")
        }
        do throws(FileSystemError) {
            try files.createDirectories(target)
        } catch {
            throw failure(error, stage: .store, message: "the entries could not be moved")
        }
        // Another user may have created it first.
        try checkDirectory(ofOther: target)
        let problem = trimmingQueue.sync { () -> FileSystemError? in
            do throws(FileSystemError) {
                try moveAll(to: target, progress)
                return nil
            } catch {
                return error
            }
        }
        // A concurrent read may have opened a directory that has been moved.
        entries.reset()
        writeLedger()
        guard let problem else { return }
        throw failure(problem, stage: .store, message: "some entries could not be moved")
    }

    private func identity(of path: String) throws(ImageError) -> DirectoryIdentity? {
        do throws(FileSystemError) {
            return try files.identity(of: path)
        } catch {
            throw failure(error, stage: .store, message: "the entries could not be moved")
        }
    }

    private func moveAll(to target: String, _ progress: (Double) -> Void) throws(FileSystemError) {
        guard try files.isPresent(root) else { return }
        if try !isRenamed(to: target) {
            let own = try presentSecret(in: root)
            let other = try giveSecret(own ?? makeSecret(), to: target)
            // The ledger of the target does not cover the entries that are moved there.
            try files.removeFileIfPresent("\(target)/\(DiskEntryName.ledger)")
            defer { _ = try? files.removeFileIfPresent("\(target)/\(DiskEntryName.ledger)") }
            let present = presentShards()
            var problem: FileSystemError?
            for shard in 0..<DiskLedger.shardCount {
                do throws(FileSystemError) {
                    if present.contains(shard) { try move(shard, from: own, to: target, under: other) }
                } catch {
                    problem = problem ?? error
                }
                progress(Double(shard + 1) / Double(DiskLedger.shardCount))
            }
            if let problem { throw problem }
            try files.removeFileIfPresent("\(root)/\(DiskEntryName.ledger)")
            // The secret is removed last, and only if no entries are left whose names depend on it.
            if try files.itemsIfPresent(inRoot: root).allSatisfy({ $0.name == DiskEntryName.secret }) {
                try files.removeFileIfPresent("\(root)/\(DiskEntryName.secret)")
            }
            try files.removeDirectoryIfEmpty(root)
        }
        // A failure is ignored: all entries have been moved by now, and this user may not be allowed to change the
        // parent directory.
        try? files.removeDirectoryIfEmpty(Self.parent(of: root))
        progress(1)
    }

    /// Renames the layout directory to move it. Returns false if that is not possible, for example between disks.
    private func isRenamed(to target: String) throws(FileSystemError) -> Bool {
        // Renaming a link would not move the directory that it leads to.
        guard try files.attributes(of: root).kind == .directory else { return false }
        do throws(FileSystemError) {
            try files.move(root, to: target)
            return true
        } catch {
            // The target is not empty, on another disk, a mount, or a link to a directory.
            if [ENOTEMPTY, EEXIST, EXDEV, EBUSY, ENOTDIR].contains(error.code) { return false }
            throw error
        }
    }

    /// Moves the entries of a shard, and their markers of tags, to the target directory.
    /// - Parameters:
    ///   - own: The secret of this cache's directory; nil if there is none.
    ///   - secret: The secret of the target directory.
    private func move(
        _ shard: Int, from own: DirectorySecret?, to target: String, under secret: DirectorySecret
    ) throws(FileSystemError) {
        let name = DiskEntryName.shardName(shard)
        let haveNames = own == secret
        let files = self.files.confined(below: target)
        // Markers are copied before entries, so that a removal by tag in the target misses no entry. They are removed
        // from here after the entries.
        for directory in try haveNames ? tagDirectories(in: shard) : [] {
            let tag = directory.split(separator: "/").last ?? ""
            try clearPath(to: "\(name)/\(DiskEntryName.tags)/\(tag)", below: target)
            try copyMarkers(in: directory, to: "\(target)/\(name)/\(DiskEntryName.tags)/\(tag)", files)
        }
        for source in try files.itemsIfPresent(in: "\(root)/\(name)")
        where source.attributes.kind == .directory && DiskEntryName.isDigest(source.name) {
            let directory = "\(root)/\(name)/\(source.name)"
            if haveNames {
                try clearPath(to: "\(name)/\(source.name)", below: target)
                try moveFiles(in: directory, to: "\(target)/\(name)/\(source.name)", files)
            } else {
                try renameFiles(in: directory, from: own, to: target, under: secret)
            }
        }
        try removeTags(in: shard)
        try files.removeDirectoryIfEmpty("\(root)/\(name)")
    }

    /// Copies the markers in a tag's directory to another directory. Markers that exist there already are not copied.
    /// - Parameter files: The file system, confined below the layout directories (`v2`) of both caches.
    private func copyMarkers(
        in directory: String, to target: String, _ files: any FileSystem
    ) throws(FileSystemError) {
        for item in try files.itemsIfPresent(in: directory) where DiskEntryName.isMarker(item.name) {
            if try files.isPresent("\(target)/\(item.name)") { continue }
            try files.createDirectories(target)
            try files.writeFile(
                [], to: "\(target)/\(item.name)", through: "\(target)/\(DiskEntryName.temporary())",
                modificationTime: time.wallTime(), isReadOnly: false, isDurable: configuration.durability == .full)
        }
    }

    /// Moves the entries of a source to another directory. An entry that is already there is removed from this
    /// directory instead. Also removes abandoned temporary files.
    /// - Parameter files: The file system, confined below the layout directories (`v2`) of both caches.
    private func moveFiles(
        in directory: String, to target: String, _ files: any FileSystem
    ) throws(FileSystemError) {
        for item in try files.itemsIfPresent(in: directory) where item.attributes.kind == .file {
            let path = "\(directory)/\(item.name)"
            if DiskEntryName.isTemporary(item.name), isLeftBehind(item.attributes, at: time.wallTime()) {
                try files.removeFileIfPresent(path)
            }
            guard DiskEntryName.isDigest(item.name) else { continue }
            if try files.isPresent("\(target)/\(item.name)") {
                // Part of a directory can be mounted or linked elsewhere, so it may be the same file.
                if try files.identity(of: directory) == files.identity(of: target) { continue }
                try files.removeFileIfPresent(path)
            } else {
                try files.createDirectories(target)
                try moveFile(path, item.attributes, to: "\(target)/\(item.name)", files)
            }
        }
        try files.removeDirectoryIfEmpty(directory)
    }

    /// Moves a file to a path, even on another disk. Does nothing if another process has removed the file.
    /// - Parameter files: The file system, confined below the layout directories (`v2`) of both caches.
    private func moveFile(
        _ path: String, _ attributes: FileAttributes, to target: String, _ files: any FileSystem
    ) throws(FileSystemError) {
        do throws(FileSystemError) {
            return try place(path, at: target, files)
        } catch {
            // Another process has removed the file; it was not the target directory that was missing.
            if error.code == ENOENT, try !files.isPresent(path) { return }
            if error.code != EXDEV { throw error }
        }
        let name = String(path.dropFirst(root.count + 1))
        let content: Data
        do throws(FileSystemError) {
            content = try files.contents(of: name, in: KeptDirectory(root), byteLimit: .max).data
        } catch {
            if error.code == ENOENT { return }
            throw error
        }
        let directory = Self.parent(of: target)
        let copy = "\(directory)/\(DiskEntryName.temporary())"
        try files.writeFile(
            [content], to: copy, through: "\(directory)/\(DiskEntryName.temporary())",
            modificationTime: attributes.modificationTime, isReadOnly: attributes.isReadOnly,
            isDurable: configuration.durability == .full)
        try place(copy, at: target, files)
        try files.removeFileIfPresent(path)
    }

    /// Moves a file to an unused path. If another process stores a file at that path first, that file remains, and the
    /// file to move is removed.
    func place(_ path: String, at target: String, _ files: any FileSystem) throws(FileSystemError) {
        do throws(FileSystemError) {
            try files.linkFile(path, to: target)
        } catch {
            // Without hard links, the file is renamed, which replaces a file that another process stored there at this
            // moment.
            if [EPERM, ENOTSUP, EMLINK, ENOSYS].contains(error.code) { return try files.move(path, to: target) }
            if error.code != EEXIST { throw error }
        }
        try files.removeFileIfPresent(path)
    }
}
