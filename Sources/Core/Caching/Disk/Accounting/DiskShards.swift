/// The shards that exist in a disk cache's directory, found by listing the directory once.
///
/// A small cache has few of the 256 shards. Without this list, a walk over them would spend most of its time looking
/// for shards that do not exist.
struct DiskShards {
    private var isPresent = [Bool](repeating: false, count: DiskLedger.shardCount)
    /// The items that must not be used although they have the name of a shard or of the file with the
    /// ``DirectorySecret``. A shard with such an item in its place counts as absent.
    private(set) var obstacles: [DiskObstacle] = []
    /// The failure to list the shards; nil if they are known.
    private(set) var failure: FileSystemError?

    /// Lists the shards. If that fails, all shards count as present, because each of them may still be readable.
    /// - Parameters:
    ///   - root: The directory that contains the shards.
    ///   - trustsOtherUsers: Whether shards that belong to other users count as present.
    ///   - files: The file system that lists the directory.
    init(in root: String, trustsOtherUsers: Bool, _ files: any FileSystem) {
        do throws(FileSystemError) {
            for item in try files.itemsIfPresent(inRoot: root) {
                if let obstacle = DiskObstacle(inPlaceOfSecret: item, in: root) { obstacles.append(obstacle) }
                guard let shard = DiskEntryName.shard(named: item.name) else { continue }
                var isTrusted = trustsOtherUsers
                if !isTrusted { isTrusted = try files.isTrusted(item.attributes, in: root) }
                if let obstacle = DiskObstacle(inPlaceOfShard: item, in: root, isTrusted: isTrusted) {
                    obstacles.append(obstacle)
                } else {
                    isPresent[shard] = true
                }
            }
        } catch {
            failure = error
            isPresent = [Bool](repeating: true, count: DiskLedger.shardCount)
        }
    }

    /// Returns whether a shard was found. Returns true for every shard if the directory could not be listed.
    func contains(_ shard: Int) -> Bool { isPresent[shard] }
}
