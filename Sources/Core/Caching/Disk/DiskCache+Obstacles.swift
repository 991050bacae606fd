// No item below the directory of the layout is reached through a link, since a link may lead to other files.
extension DiskCache {
    /// Returns the path of an item relative to the directory of the layout.
    func name(of path: String) -> String { String(path.dropFirst(root.count + 1)) }

    /// Returns the first item on the path to a directory that keeps the directory from being used. Returns nil if there
    /// is none. Throws if one of the directories belongs to another user.
    /// - Parameters:
    ///   - directory: The path of the directory below that of the layout.
    ///   - root: The directory of the layout; nil for that of this cache.
    func obstacle(onPath directory: String, below root: String? = nil) throws(FileSystemError) -> String? {
        try files.obstacle(
            onPath: directory, below: root ?? self.root, trustsOtherUsers: configuration.trustsOtherUsers)
    }

    /// Returns the shards that exist.
    func presentShards() -> DiskShards {
        DiskShards(in: root, trustsOtherUsers: configuration.trustsOtherUsers, files)
    }

    /// Returns whether a shard exists that belongs to an untrusted user.
    func isForeign(shard: Int) -> Bool {
        do throws(FileSystemError) {
            _ = try obstacle(onPath: DiskEntryName.shardName(shard))
            return false
        } catch {
            return error.isForeignDirectory
        }
    }

    /// Throws `EPERM` if a file and its directory belong to untrusted users, because the file need not be one of the
    /// cache's. Costs nothing if the file belongs to this user.
    func checkOwner(of file: FileAttributes, in directory: String) throws(FileSystemError) {
        if configuration.trustsOtherUsers { return }
        if try files.isTrusted(file, in: root) { return }
        _ = try obstacle(onPath: directory)
    }

    /// Removes the link or file in the place of a directory, if there is one, and reports it.
    /// - Parameters:
    ///   - directory: The path of the directory below that of the layout.
    ///   - root: The directory of the layout; nil for that of this cache.
    func clearPath(to directory: String, below root: String? = nil) throws(FileSystemError) {
        let files = root.map { self.files.confined(below: $0) } ?? self.files
        guard let path = try obstacle(onPath: directory, below: root),
            try files.removeFileIfPresent(path)
        else { return }
        onIssue(
            ImageError(
                .cacheFailed, stage: .store, component: "DiskCache", subject: path,
                message: "a link or a file in place of a directory of the cache was removed",
                advice: "use a directory that no other program writes to"))
    }

    /// Removes an obstacle to an entry: an item other than a file in the place of the entry, or a link or a file in the
    /// place of its directory. Returns whether there was one.
    func clearPlace(of name: DiskEntryName) throws(FileSystemError) -> Bool {
        if let obstacle = try obstacle(onPath: name.directory) {
            return try files.removeFileIfPresent(obstacle)
        }
        let path = "\(root)/\(name.path)"
        switch try files.attributes(of: path).kind {
        case .file: return false
        case .directory: try files.removeDirectoryWithItems(path)
        case .other: return try removeEntry(path, in: name.shard)
        }
        return true
    }

    /// Removes the obstacles that a look at the directory found. Returns the first failure.
    func removeObstacles(_ obstacles: [DiskObstacle]) -> FileSystemError? {
        var problem: FileSystemError?
        for obstacle in obstacles {
            do throws(FileSystemError) {
                try remove(obstacle)
            } catch {
                problem = problem ?? error
            }
        }
        return problem
    }

    /// Removes an obstacle, unless another item has taken its place since. A directory is removed with everything in
    /// it; the target of a link remains.
    func remove(_ obstacle: DiskObstacle) throws(FileSystemError) {
        guard let present = try files.attributesIfPresent(of: obstacle.path), obstacle.isSame(as: present) else {
            return
        }
        if obstacle.kind == .directory {
            try files.removeDirectoryWithItems(obstacle.path)
        } else {
            try files.removeFileIfPresent(obstacle.path)
        }
    }

    /// Removes the directories of a shard that a look found empty, for example after a failure on a full disk. Returns
    /// the first failure.
    /// - Parameter emptied: Further directories, which may have become empty since.
    func removeEmptyDirectories(_ survey: DiskSurvey, emptied: Set<String> = []) -> FileSystemError? {
        var problem: FileSystemError?
        // Directories of sources are removed before those that contain them.
        for directory in emptied.union(survey.emptyDirectories).sorted(by: { $0.utf8.count > $1.utf8.count }) {
            do throws(FileSystemError) {
                try files.removeDirectoryIfEmpty(directory)
            } catch {
                problem = problem ?? error
            }
        }
        return problem
    }
}
