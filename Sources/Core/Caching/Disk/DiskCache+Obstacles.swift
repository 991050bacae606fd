// Nothing below the directory of the layout is reached through a link: a link there may lead to files of somebody
// else's.
extension DiskCache {
    /// The path of something below the directory of the layout, from there.
    func name(of path: String) -> String { String(path.dropFirst(root.count + 1)) }

    /// The first item on the path of a directory that keeps the directory from being used; nil when there is none.
    /// Throws where one of the directories belongs to another user.
    /// - Parameters:
    ///   - directory: The path of the directory below that of the layout.
    ///   - root: The directory of the layout; that of this cache when nil.
    func obstacle(onPath directory: String, below root: String? = nil) throws(FileSystemError) -> String? {
        try files.obstacle(
            onPath: directory, below: root ?? self.root, trustsOtherUsers: configuration.trustsOtherUsers)
    }

    /// The shards that are there.
    func presentShards() -> DiskShards {
        DiskShards(in: root, trustsOtherUsers: configuration.trustsOtherUsers, files)
    }

    /// Whether a shard is there that belongs to a user who is not to be trusted.
    func isForeign(shard: Int) -> Bool {
        do throws(FileSystemError) {
            _ = try obstacle(onPath: DiskEntryName.shardName(shard))
            return false
        } catch {
            return error.isForeignDirectory
        }
    }

    /// Throws `EPERM` for the file of another user in a directory of another user, neither of whom is to be trusted:
    /// the file need not be one of the cache's. Costs nothing where the file is this user's.
    func checkOwner(of file: FileAttributes, in directory: String) throws(FileSystemError) {
        if configuration.trustsOtherUsers { return }
        if try files.isTrusted(file, in: root) { return }
        _ = try obstacle(onPath: directory)
    }

    /// Removes the link or the file that stands in the place of a directory, if there is one, and reports it.
    /// - Parameters:
    ///   - directory: The path of the directory below that of the layout.
    ///   - root: The directory of the layout; that of this cache when nil.
    func clearPath(to directory: String, below root: String? = nil) throws(FileSystemError) {
        let files = root.map { self.files.confined(below: $0) } ?? self.files
        guard let path = try obstacle(onPath: directory, below: root),
            try files.removeFileIfPresent(path)
        else { return }
        onIssue(
            ImageError(
                .cacheFailed, stage: .store, component: "DiskCache", subject: path,
                message: "a link or a file in the place of a directory of the cache was removed",
                advice: "give the cache a directory in which nothing else puts files"))
    }

    /// Removes what keeps a name from having an entry: something that is no file in its place, or a link or a file in
    /// that of a directory. Returns whether there was any.
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

    /// Removes what a look at the directory found to be of another kind than its name says; returns the first failure.
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

    /// Removes something that is of another kind than its name says, or another user's, unless something else has taken
    /// its place since. A directory goes with everything in it; what a link leads to stays.
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

    /// Removes the directories of a shard that a look at it found empty, such as those that a full disk left; returns
    /// the first failure.
    /// - Parameter emptied: Directories from which something was removed since, which may be empty now.
    func removeEmptyDirectories(_ survey: DiskSurvey, emptied: Set<String> = []) -> FileSystemError? {
        var problem: FileSystemError?
        // Those of sources before those that they are in.
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
