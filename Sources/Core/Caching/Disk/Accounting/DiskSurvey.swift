/// The findings of one look at a shard of a disk cache's directory.
struct DiskSurvey {
    /// The facts about a file that are known without opening it.
    struct Entry {
        let shard: Int
        let directory: String
        let name: String
        var attributes: FileAttributes

        var path: String { "\(directory)/\(name)" }
        var usage: DiskUsage { DiskUsage(of: attributes) }
        /// The name of the marker that gives this entry a tag, in the tag's directory.
        var marker: String { "\(directory.suffix(32))\(name)" }

        /// Returns whether a file that exists now is the one that was found, and has been neither stored again nor used
        /// since.
        func isSame(as present: FileAttributes) -> Bool {
            let difference = present.modificationTime - attributes.modificationTime
            // File systems round time stamps.
            return present.byteCount == attributes.byteCount && abs(difference) < 0.001
        }
    }

    /// The number of the shard.
    let shard: Int
    /// The files of entries.
    private(set) var entries: [Entry] = []
    /// Files that are being written, or that were abandoned while they were written.
    private(set) var temporaries: [Entry] = []
    /// The empty directories of sources and, as the last one, the directory of the shard if it has no files of the
    /// cache's.
    private(set) var emptyDirectories: [String] = []
    /// The items that have the name of a directory or entry, but another kind.
    private(set) var obstacles: [DiskObstacle] = []
    /// Whether the shard has a directory for tags.
    private(set) var hasTags = false
    /// The usage of the entries.
    private(set) var usage = DiskUsage()
    /// The first failure. If one directory cannot be listed, the look continues, so that the limits hold for the rest.
    private(set) var failure: FileSystemError?

    /// Creates the survey of a shard that does not exist.
    init(ofAbsent shard: Int) { self.shard = shard }

    /// Looks at a shard if it exists.
    init(of shard: Int, among shards: DiskShards, in root: String, _ files: any FileSystem) {
        self = shards.contains(shard) ? DiskSurvey(of: shard, in: root, files) : DiskSurvey(ofAbsent: shard)
    }

    /// Looks at a shard. Items whose names are not the cache's are ignored.
    init(of shard: Int, in root: String, _ files: any FileSystem) {
        self.shard = shard
        let path = "\(root)/\(DiskEntryName.shardName(shard))"
        for source in items(in: path, files) {
            if let obstacle = DiskObstacle(inPlaceOfDirectory: source, in: path) { obstacles.append(obstacle) }
            guard source.attributes.kind == .directory else { continue }
            if source.name == DiskEntryName.tags { hasTags = true }
            guard DiskEntryName.isDigest(source.name) else { continue }
            let directory = "\(path)/\(source.name)"
            let found = items(in: directory, files)
            if found.isEmpty { emptyDirectories.append(directory) }
            obstacles += found.compactMap { DiskObstacle(inPlaceOfEntry: $0, in: directory) }
            for item in found where item.attributes.kind != .directory {
                let entry = Entry(shard: shard, directory: directory, name: item.name, attributes: item.attributes)
                if DiskEntryName.isDigest(item.name) {
                    entries.append(entry)
                    usage += entry.usage
                } else if DiskEntryName.isTemporary(item.name) {
                    temporaries.append(entry)
                }
            }
        }
        if failure == nil, entries.isEmpty, temporaries.isEmpty { emptyDirectories.append(path) }
    }

    private mutating func items(
        in directory: String, _ files: any FileSystem
    ) -> [(name: String, attributes: FileAttributes)] {
        do throws(FileSystemError) {
            return try files.itemsIfPresent(in: directory)
        } catch {
            failure = failure ?? error
            return []
        }
    }
}
