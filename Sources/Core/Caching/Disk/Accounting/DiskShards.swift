/// The shards of a disk cache's directory that exist, found by one look at it.
///
/// A cache of few entries has few of the 256: to look for each of them would be most of the work of a walk.
struct DiskShards {
    private var isPresent = [Bool](repeating: false, count: DiskLedger.shardCount)
    /// Links in the place of shards and shards of other users, which count as absent, and what is no file in the place
    /// of the secret.
    private(set) var obstacles: [DiskObstacle] = []
    /// Why nothing is known.
    private(set) var failure: FileSystemError?

    /// Looks. If that fails, all shards count as present: looking at each of them may still work.
    /// - Parameter trustsOtherUsers: Whether shards of other users count as well.
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

    /// Whether a shard is there, or may be.
    func contains(_ shard: Int) -> Bool { isPresent[shard] }
}
