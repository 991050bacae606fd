/// The shards that exist in a disk cache's directory. The directory is listed only once, because a small cache has few
/// of the 256 shards, and looking for each of them would be slow.
struct DiskShards {
    private var isPresent = [Bool](repeating: false, count: DiskLedger.shardCount)
    /// The obstacles found in the directory. A shard counts as absent if an obstacle is in its place.
    private(set) var obstacles: [DiskObstacle] = []
    /// The failure to list the shards; nil if they are known.
    private(set) var failure: FileSystemError?

    /// Lists the shards. If that fails, all shards count as present, because each of them may still be readable.
    /// - Parameter trustsOtherUsers: Whether shards that belong to other users count as present.
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
