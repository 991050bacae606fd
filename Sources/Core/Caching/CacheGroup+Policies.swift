extension CacheGroup {
    /// The caches that an operation uses, and their order.
    public enum Policy: Sendable, Hashable, CaseIterable {
        /// One after another, the highest first. A query ends with the first that has what is wanted.
        case serial
        /// All at once.
        case concurrent
        /// The highest alone.
        case highestOnly
        /// The lowest alone.
        case lowestOnly
    }

    /// The policy of a group for each operation.
    ///
    /// A cache takes part where it has the tier (``ImageCache/tiers``) that an operation is about. So the highest is
    /// the highest that has it, which may be one cache for images and another for entries.
    public struct Policies: Sendable, Hashable {
        /// Finding images, entries and variants. Default: serial.
        ///
        /// In turn or at once, an entry of a lower cache is copied to those above it.
        public var query: Policy
        /// Keeping images and entries. Default: the highest alone; what lower caches have under the same key is left
        /// alone.
        public var store: Policy
        /// Removing by key, source, tag and age. Default: concurrent.
        ///
        /// What is removed from one alone is found in the others, and from a lower one it comes up again.
        public var remove: Policy
        /// Whether something is there. Default: serial, where the highest that has it in any tier speaks for all;
        /// concurrent names each tier in which any of them has it.
        public var contains: Policy
        /// Removing everything. Default: concurrent.
        public var clear: Policy

        /// Policies; the defaults for those that are not given.
        public init(
            query: Policy = .serial, store: Policy = .highestOnly, remove: Policy = .concurrent,
            contains: Policy = .serial, clear: Policy = .concurrent
        ) {
            self.query = query
            self.store = store
            self.remove = remove
            self.contains = contains
            self.clear = clear
        }
    }
}
