// No item below the directory of the layout is reached through a link, since a link may lead to other files.
extension DiskCache {
    /// Returns the path of an item relative to the layout directory (`v2`).
    func name(of path: String) -> String { String(path.dropFirst(root.count + 1)) }

    /// Returns the path of the first item on a directory's path that is not a directory. Returns nil if there is none.
    /// Throws as ``FileSystem/obstacle(onPath:below:trustsOtherUsers:)`` does.
    /// - Parameters:
    ///   - directory: The path of a directory, relative to the layout directory (`v2`).
    ///   - root: The path of the layout directory; nil for that of this cache.
    func obstacle(onPath directory: String, below root: String? = nil) throws(FileSystemError) -> String? {
        try files.obstacle(
            onPath: directory, below: root ?? self.root, trustsOtherUsers: configuration.trustsOtherUsers)
    }

    /// Lists the cache's directory, and returns the shards that exist.
    func presentShards() -> DiskShards {
        DiskShards(in: root, trustsOtherUsers: configuration.trustsOtherUsers, files)
    }

    /// Returns whether a shard exists and belongs to an untrusted user.
    func isForeign(shard: Int) -> Bool {
        do throws(FileSystemError) {
            _ = try obstacle(onPath: DiskEntryName.shardName(shard))
            return false
        } catch {
            return error.isForeignDirectory
        }
    }

    /// Throws `EPERM` if both a file and a directory on its path belong to untrusted users. The owner of the directory
    /// could have put the file there.
    /// - Parameters:
    ///   - file: The attributes of the file.
    ///   - directory: The path of its directory, relative to the layout directory (`v2`).
    func checkOwner(of file: FileAttributes, in directory: String) throws(FileSystemError) {
        if configuration.trustsOtherUsers { return }
        if try files.isTrusted(file, in: root) { return }
        _ = try obstacle(onPath: directory)
    }

    /// Removes and reports a link or file that is in the place of a directory on the path of `directory`.
    /// - Parameters:
    ///   - directory: The path of a directory, relative to the layout directory (`v2`).
    ///   - root: The path of the layout directory; nil for that of this cache.
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

    /// Removes an item that is in the way of an entry, such as a directory in its place or a link on its path. Returns
    /// whether something was removed.
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

    /// Removes all obstacles that can be removed. Returns the first failure; nil if there was none.
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

    /// Removes an obstacle, unless another item has taken its place. A directory is removed with everything in it.
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

    /// Removes the empty directories of a shard, for example those that failed stores left behind. Returns the first
    /// failure; nil if there was none.
    /// - Parameter emptied: The paths of further directories that may have become empty.
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
