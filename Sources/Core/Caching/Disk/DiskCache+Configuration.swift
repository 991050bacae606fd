extension DiskCache {
    /// The configuration of a disk cache: its limits, how long entries live, and how they are written.
    public struct Configuration: Sendable, Hashable {
        /// The maximum total size of all files, in bytes. Default: 1 GiB; `.max` for no limit.
        ///
        /// A store that exceeds the limit starts a trim in the background, down to ``lowWaterMark``. Until the trim
        /// ends, the files may exceed the limit by up to half of it, plus the entries that are being written. If
        /// processes are killed, the cache may overlook their last entries. Such entries can amount to an eighth of the
        /// limit before the cache notices them.
        ///
        /// The directory is counted in the background while entries are stored. If no process lives long enough to
        /// count it, the limits do not hold. A single entry that exceeds the limit is refused.
        public var byteLimit: Int
        /// The maximum number of entries. Default: nil, for no limit. As with ``byteLimit``, a store that exceeds the
        /// limit starts a trim.
        public var countLimit: Int?
        /// The fraction of the limits to which a trim reduces the directory, from 0 to 1. Default: 0.8. A lower value
        /// means fewer, longer trims. Even with 0, a trim keeps the newest entry if it is within the limits.
        public var lowWaterMark: Double
        /// The maximum age of an entry. Default: a week. Nil, zero and negative values mean no limit.
        public var maxAge: Duration?
        /// The event from which the age of an entry counts: its last use, its last store or its first store. A trim
        /// evicts the entries with the highest age first. Default: `.access`.
        ///
        /// Processes that share a directory should use the same value.
        public var expiration: Expiration
        /// Whether an entry is guaranteed to be on the disk when a store returns. Default: `.none`.
        public var durability: Durability
        /// Whether to use a directory that belongs to another user, or that every user may write to. Default: false.
        ///
        /// Every user with write access to the directory can replace the pictures in it, and the facts that the cache
        /// stores about them. Set this for a disk whose file system has no owners, or for a directory whose permissions
        /// allow other users to write although no other user does.
        ///
        /// This does not allow users to share a directory. The cache creates each file, including the file with the
        /// directory's secret, with access only for the user who stores it. Other users cannot read these files, unless
        /// they are root or the file system has no owners.
        public var trustsOtherUsers: Bool
        /// The minimum number of entries in a sample of the directory. A sample shows whether the ledger is right, and
        /// which entries are the oldest. Tests lower the number, so that a small directory behaves like a large one.
        var sampleCount = 1024

        /// Creates a configuration. The default values suit an application.
        public init(
            byteLimit: Int = 1 << 30, countLimit: Int? = nil, lowWaterMark: Double = 0.8,
            maxAge: Duration? = .seconds(7 * 86_400), expiration: Expiration = .access, durability: Durability = .none,
            trustsOtherUsers: Bool = false
        ) {
            self.byteLimit = byteLimit
            self.countLimit = countLimit
            self.lowWaterMark = lowWaterMark
            self.maxAge = maxAge
            self.expiration = expiration
            self.durability = durability
            self.trustsOtherUsers = trustsOtherUsers
        }
    }

    /// The event from which the age of an entry counts.
    public enum Expiration: Sendable, Hashable, CaseIterable {
        /// The last read or store. After a store or a recorded read, further reads are not recorded for a minute, or
        /// for half of ``Configuration/maxAge`` if that is less.
        case access
        /// The last store.
        case modification
        /// The first store. Storing an entry again does not extend its life.
        case creation
    }

    /// Whether an entry is guaranteed to be on the disk when a store returns. With either value, the secret of the
    /// directory (see ``DiskCache``) is synchronized before an entry is stored, because no entry can be found without
    /// the secret.
    public enum Durability: Sendable, Hashable {
        /// The system writes the entry within seconds. After a loss of power, an entry may be missing or damaged; a
        /// read detects the damage. If only the process is killed or crashes, nothing is lost.
        case none
        /// The file and its directory are synchronized before the store returns, which takes milliseconds.
        case full
    }
}

extension DiskCache.Configuration {
    /// The usage above which a trim begins.
    var limits: DiskUsage { DiskUsage(byteCount: max(0, byteLimit), count: max(0, countLimit ?? .max)) }

    /// The usage to which a trim reduces the directory.
    var lowWater: DiskUsage { DiskUsage(byteCount: part(of: byteLimit), count: countLimit.map(part) ?? .max) }

    private func part(of limit: Int) -> Int {
        let limit = max(0, limit)
        let part = (Double(limit) * min(max(lowWaterMark, 0), 1)).rounded(.down)
        // The largest limits cannot be represented as a `Double`, and the mark may not be a number.
        return part < Double(limit) ? Int(part) : limit
    }
}
