extension DiskCache {
    /// The limits of a disk cache, and the way it writes.
    public struct Configuration: Sendable, Hashable {
        /// The most bytes that the files may have together; 1 GiB by default, `.max` for no limit.
        ///
        /// Crossing it starts a trim in the background, down to ``lowWaterMark``. Until the trim ends there may be up
        /// to a half more, and what is being written at that moment. Entries of processes that were killed can come to
        /// an eighth before they are noticed. Storing counts the directory: if no process lives long enough to count
        /// it, its limits do not hold. An entry that is larger by itself is refused.
        public var byteLimit: Int
        /// The most entries; nil, the default, for no limit. Held as ``byteLimit`` is.
        public var countLimit: Int?
        /// The part of the limits that a trim leaves, from 0 to 1; 0.8 by default. Lower means fewer, longer trims. The
        /// newest entry stays where the limits themselves allow it.
        public var lowWaterMark: Double
        /// The maximum age of an entry; a week by default. For ever when nil, zero or negative.
        public var maxAge: Duration?
        /// The time from which an entry's age counts, which also decides which entries go first when there are too
        /// many; `.access` by default.
        ///
        /// Processes that share a directory should agree on it.
        public var expiration: Expiration
        /// Whether a store is on the disk when it returns; `.none` by default.
        public var durability: Durability
        /// Whether a directory is used that belongs to another user, or that every user may write to; false by default.
        ///
        /// Every user with write access to the directory can replace the pictures in it, and the facts that the cache
        /// stores about them. Set this for a disk whose file system knows no owners, and for a directory that no other
        /// user writes to though its permissions allow it.
        ///
        /// It does not make a directory one that users share. The cache makes each file for the user who stores it, the
        /// directory's secret too: another user fails to read them, unless it is root or the file system knows no
        /// owners.
        public var trustsOtherUsers: Bool
        /// The minimum number of entries by which a larger directory is judged: whether its ledger is right, and which
        /// entries are oldest. With fewer, tests see in a small directory what happens in a large one.
        var sampleCount = 1024

        /// Bounds; the defaults suit an application.
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

    /// The time from which an entry's age counts.
    public enum Expiration: Sendable, Hashable, CaseIterable {
        /// Since it was last read or stored. Uses are noted once a minute at most, or twice in the time of `maxAge`.
        case access
        /// Since it was last stored.
        case modification
        /// Since it was first stored: storing again gives an entry no more time.
        case creation
    }

    /// Whether a store is on the disk when it returns. The directory's secret is, in any case: without it no entry is
    /// found.
    public enum Durability: Sendable, Hashable {
        /// The system writes the entry when it wants to, within seconds. After a loss of power an entry may be gone or
        /// damaged, which is noticed when it is read. Kills and crashes of the process lose nothing.
        case none
        /// At once: file and directory are synchronized, which takes milliseconds.
        case full
    }
}

extension DiskCache.Configuration {
    /// Above this a trim begins.
    var limits: DiskUsage { DiskUsage(byteCount: max(0, byteLimit), count: max(0, countLimit ?? .max)) }

    /// The usage that a trim leaves.
    var lowWater: DiskUsage { DiskUsage(byteCount: part(of: byteLimit), count: countLimit.map(part) ?? .max) }

    private func part(of limit: Int) -> Int {
        let limit = max(0, limit)
        let part = (Double(limit) * min(max(lowWaterMark, 0), 1)).rounded(.down)
        // The largest limits have no exact form as a `Double`, and a mark may be no number.
        return part < Double(limit) ? Int(part) : limit
    }
}
