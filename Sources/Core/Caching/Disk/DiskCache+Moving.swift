import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// Moves all entries to the directory of another disk cache, and takes the directory here away when nothing else is
    /// in it. This cache stays where it is, and is empty.
    ///
    /// A rename when there is no cache yet in the other directory; else entry by entry, where those that are there stay
    /// in place of those that are moved. Between disks entries are copied. Whatever is stored meanwhile may stay
    /// behind.
    ///
    /// The secret of the directory moves with its entries, unless the other directory has one of its own. Then entries
    /// are written anew under that, but for those whose key holds what may be secret: the directory does not know it,
    /// so they are removed, and loaded again when they are asked for. What only another transform or another version of
    /// the library can read stays behind.
    ///
    /// Does nothing when the other directory is this one, whatever way its path takes. Throws when it lies among the
    /// entries, having moved nothing, and when something could not be moved: what could be has been, and calling again
    /// moves the rest.
    /// - Parameters:
    ///   - destination: The directory of the other cache; made when it is missing.
    ///   - progress: Told how far it is, from 0 to 1, on this thread. It must not call the cache.
    public func move(to destination: URL, progress: (Double) -> Void = { _ in }) throws {
        entries.reset()
        let target = Self.root(of: destination)
        try checkDirectory(for: .store)
        guard let own = try identity(of: root), try identity(of: target) != own else { return }
        try checkDirectory(ofOther: target)
        if own.contains(target, files) {
            throw ImageError(
                .cacheFailed, stage: .store, component: "DiskCache", subject: target,
                message: "a cache cannot be moved to among its own entries: nothing was moved",
                advice: "give a directory that is not in `\(DiskEntryName.layout)` of the cache's own")
        }
        do throws(FileSystemError) {
            try files.createDirectories(target)
        } catch {
            throw failure(error, stage: .store, message: "no entries could be moved")
        }
        // Another user may have been sooner.
        try checkDirectory(ofOther: target)
        let problem = trimmingQueue.sync { () -> FileSystemError? in
            do throws(FileSystemError) {
                try moveAll(to: target, progress)
                return nil
            } catch {
                return error
            }
        }
        // A concurrent read may have kept open what is now elsewhere.
        entries.reset()
        writeLedger()
        guard let problem else { return }
        throw failure(problem, stage: .store, message: "some entries could not be moved")
    }

    private func identity(of path: String) throws(ImageError) -> DirectoryIdentity? {
        do throws(FileSystemError) {
            return try files.identity(of: path)
        } catch {
            throw failure(error, stage: .store, message: "no entries could be moved")
        }
    }

    private func moveAll(to target: String, _ progress: (Double) -> Void) throws(FileSystemError) {
        guard try files.isPresent(root) else { return }
        if try !isRenamed(to: target) {
            let own = try presentSecret(in: root)
            let other = try giveSecret(own ?? makeSecret(), to: target)
            // It tells what was in one of both alone.
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
            // Last, and only where nothing is left that has a name under it.
            if try files.itemsIfPresent(inRoot: root).allSatisfy({ $0.name == DiskEntryName.secret }) {
                try files.removeFileIfPresent("\(root)/\(DiskEntryName.secret)")
            }
            try files.removeDirectoryIfEmpty(root)
        }
        // All is moved already, and the directory above it may be one that this user cannot change.
        try? files.removeDirectoryIfEmpty(Self.parent(of: root))
        progress(1)
    }

    /// Whether the directory could be moved as it is.
    private func isRenamed(to target: String) throws(FileSystemError) -> Bool {
        // Of a link that, and not what it leads to, would be renamed.
        guard try files.attributes(of: root).kind == .directory else { return false }
        do throws(FileSystemError) {
            try files.move(root, to: target)
            return true
        } catch {
            // In use, on another disk, a mount, or a link to a directory.
            if [ENOTEMPTY, EEXIST, EXDEV, EBUSY, ENOTDIR].contains(error.code) { return false }
            throw error
        }
    }

    /// - Parameters:
    ///   - own: The secret here; nil if there is none.
    ///   - secret: The secret there.
    private func move(
        _ shard: Int, from own: DirectorySecret?, to target: String, under secret: DirectorySecret
    ) throws(FileSystemError) {
        let name = DiskEntryName.shardName(shard)
        let haveNames = own == secret
        let files = self.files.confined(below: target)
        // First, so that no entry with a tag is there that a removal would not find; here they go when the entries
        // have.
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

    /// - Parameter files: What changes nothing through a link, neither here nor there, as below.
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
                // Unless it is this very file: part of a directory can be mounted or linked elsewhere, too.
                if try files.identity(of: directory) == files.identity(of: target) { continue }
                try files.removeFileIfPresent(path)
            } else {
                try files.createDirectories(target)
                try moveFile(path, item.attributes, to: "\(target)/\(item.name)", files)
            }
        }
        try files.removeDirectoryIfEmpty(directory)
    }

    private func moveFile(
        _ path: String, _ attributes: FileAttributes, to target: String, _ files: any FileSystem
    ) throws(FileSystemError) {
        do throws(FileSystemError) {
            return try place(path, at: target, files)
        } catch {
            // Another process has removed it, if not the directory that it was to go to.
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

    /// Moves a file to where none was. If another process has stored one there meanwhile, that stays, being newer.
    func place(_ path: String, at target: String, _ files: any FileSystem) throws(FileSystemError) {
        do throws(FileSystemError) {
            try files.linkFile(path, to: target)
        } catch {
            // Where a file cannot have two paths, not even for an instant, what is stored in this one is lost.
            if [EPERM, ENOTSUP, EMLINK, ENOSYS].contains(error.code) { return try files.move(path, to: target) }
            if error.code != EEXIST { throw error }
        }
        try files.removeFileIfPresent(path)
    }
}
