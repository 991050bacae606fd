/// The findings of a look at one shard of a disk cache's directory.
struct DiskSurvey {
    /// A file, as far as it is known without opening it.
    struct Entry {
        let shard: Int
        let directory: String
        let name: String
        var attributes: FileAttributes

        var path: String { "\(directory)/\(name)" }
        var usage: DiskUsage { DiskUsage(of: attributes) }
        /// The marker that means, in a tag's directory, that this entry has the tag.
        var marker: String { "\(directory.suffix(32))\(name)" }

        /// Whether a file that is there now is the one that was found: not stored anew since, nor used.
        func isSame(as present: FileAttributes) -> Bool {
            let difference = present.modificationTime - attributes.modificationTime
            // A stamp comes back a little other than it was given.
            return present.byteCount == attributes.byteCount && abs(difference) < 0.001
        }
    }

    /// The number of the shard.
    let shard: Int
    /// The files of entries.
    private(set) var entries: [Entry] = []
    /// Files that are being written, or once were.
    private(set) var temporaries: [Entry] = []
    /// Directories of sources with nothing in them; at the end the shard's own when it has no files of the cache's.
    private(set) var emptyDirectories: [String] = []
    /// The items in the place of a directory or of an entry that are of another kind.
    private(set) var obstacles: [DiskObstacle] = []
    /// Whether there is a directory for tags.
    private(set) var hasTags = false
    /// The bytes and the number of the entries.
    private(set) var usage = DiskUsage()
    /// The first failure. One directory that cannot be listed does not end the look: the limits are to hold for the
    /// rest.
    private(set) var failure: FileSystemError?

    /// Creates the survey of a shard that does not exist.
    init(ofAbsent shard: Int) { self.shard = shard }

    /// Looks at a shard, if it is there.
    init(of shard: Int, among shards: DiskShards, in root: String, _ files: any FileSystem) {
        self = shards.contains(shard) ? DiskSurvey(of: shard, in: root, files) : DiskSurvey(ofAbsent: shard)
    }

    /// Looks at a shard. What is not named as the cache names it is passed over.
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
