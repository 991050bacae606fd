/// The files and obstacles in a shard of a disk cache's directory, found by listing the shard once.
struct DiskSurvey {
    /// The location and the attributes of an entry's file or of a temporary file, as found without opening the file.
    struct Entry {
        let shard: Int
        let directory: String
        let name: String
        var attributes: FileAttributes

        var path: String { "\(directory)/\(name)" }
        var usage: DiskUsage { DiskUsage(of: attributes) }
        /// The name of the entry's ``DiskTagMarker``, which is the same in the directory of every tag.
        var marker: String { "\(directory.suffix(32))\(name)" }

        /// Returns whether the file, given its present attributes, was neither stored again nor used since it was
        /// found.
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
    /// The files that are being written, or that were abandoned while they were being written.
    private(set) var temporaries: [Entry] = []
    /// The empty directories of sources. If the shard has neither entries nor temporary files, and no listing failed,
    /// the last element is the directory of the shard.
    private(set) var emptyDirectories: [String] = []
    /// The items that have the name of a directory or an entry of the cache, but are of another kind.
    private(set) var obstacles: [DiskObstacle] = []
    /// Whether the shard has a directory for tags.
    private(set) var hasTags = false
    /// The bytes and the number of the entries.
    private(set) var usage = DiskUsage()
    /// The first failure to list a directory; nil if there was none. A failure does not end the survey, so that the
    /// limits of the cache are still enforced in the remaining directories.
    private(set) var failure: FileSystemError?

    /// Creates the survey of a shard that does not exist.
    init(ofAbsent shard: Int) { self.shard = shard }

    /// Lists the files of a shard if it is among the shards that exist. Otherwise, creates an empty survey.
    init(of shard: Int, among shards: DiskShards, in root: String, _ files: any FileSystem) {
        self = shards.contains(shard) ? DiskSurvey(of: shard, in: root, files) : DiskSurvey(ofAbsent: shard)
    }

    /// Lists the files of a shard. Items with names that the cache does not use are ignored.
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

    /// Returns the items of a directory. If it cannot be listed, notes the failure and returns no items.
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
