/// The shards that exist in a disk cache's directory, found by listing it once.
///
/// A small cache has few of the 256 shards, and a walk would spend most of its time looking for the others.
struct DiskShards {
    private var isPresent = [Bool](repeating: false, count: DiskLedger.shardCount)
    /// The obstacles in the place of shards, which count as absent, and of the secret.
    private(set) var obstacles: [DiskObstacle] = []
    /// The reason why the shards are not known; nil if they are.
    private(set) var failure: FileSystemError?

    /// Lists the shards. If that fails, all shards count as present, since looking at each of them may still work.
    /// - Parameter trustsOtherUsers: Whether shards of other users count as present.
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

    /// Returns whether a shard exists, or may exist.
    func contains(_ shard: Int) -> Bool { isPresent[shard] }
}
