extension CacheEntry {
    /// The facts about an entry in a cache. A cache reports them without counting a use of the entry.
    public struct Facts: Sendable, Hashable {
        /// The number of bytes that the entry takes in the cache. For an entry in a ``ReadOnlyDirectory``, this is the
        /// size of its data alone.
        public var byteCount: Int
        /// The time from which the entry's age counts, in seconds since 1970; nil if the cache does not know this time.
        public var start: Double?
        /// The time at which the entry expires, in seconds since 1970; nil for never. This is the expiration stored
        /// with the entry or the end of the cache's time to live, whichever is earlier.
        public var expiration: Double?
        /// The attributes stored with the entry; see ``CacheEntry/attributes``.
        public var attributes: [String: String]

        /// Creates the facts about an entry. By default, the start is unknown, the entry never expires, and there are
        /// no attributes.
        public init(
            byteCount: Int, start: Double? = nil, expiration: Double? = nil, attributes: [String: String] = [:]
        ) {
            self.byteCount = byteCount
            self.start = start
            self.expiration = expiration
            self.attributes = attributes
        }
    }
}

extension DataCache {
    public func facts(of key: VariantKey) -> CacheEntry.Facts? { nil }
}

extension ImageCache {
    public func facts(of key: VariantKey) -> CacheEntry.Facts? { nil }
}

extension TieredCache {
    public func facts(of key: VariantKey) -> CacheEntry.Facts? { disk?.facts(of: key) }
}

extension CacheGroup {
    /// Returns the facts about the entry for a key, from the first cache of the group that has the entry. Asks only the
    /// caches that the query policy of the group (``Policies/query``) selects.
    public func facts(of key: VariantKey) -> CacheEntry.Facts? {
        roster(\.query).choice(.disk).members.lazy.compactMap { $0.cache.facts(of: key) }.first
    }
}

extension DiskCache {
    /// Returns the facts about the entry for a key in the cache's own directory, or else in a read-only directory.
    /// Reads the whole entry. Verifies it, unless it is a plain file of ``ReadOnlyDirectory/files(_:)``.
    public func facts(of key: VariantKey) -> CacheEntry.Facts? {
        let isTimeToCheck = entries.refresh(at: time.now())
        let now = time.wallTime()
        let isUsable = !isTimeToCheck || (try? checkDirectory(for: .query)) != nil
        if isUsable, let facts = ownFacts(of: key, at: now, isChecked: isTimeToCheck) { return facts }
        for directory in readOnlyDirectories {
            guard let entry = try? readOnlyEntry(for: key, in: directory, at: now) else { continue }
            return CacheEntry.Facts(
                byteCount: entry.data.count, expiration: entry.expiration, attributes: entry.attributes)
        }
        return nil
    }

    private func ownFacts(of key: VariantKey, at now: Double, isChecked: Bool) -> CacheEntry.Facts? {
        guard
            let name = try? nameForReading(of: key, isChecked: isChecked),
            let file = try? files.contents(of: name.path, in: entries, byteLimit: configuration.byteLimit),
            (try? checkOwner(of: file.attributes, in: name.directory)) != nil,
            let parsed = try? DiskEntryFormat.parse(file.data, as: name, transform: transform),
            !parsed.dates.areOver(at: now)
        else { return nil }
        let entry = parsed.entry
        let start = min(file.attributes.modificationTime, now)
        let expiration = [entry.expiration, maxSeconds.map { start + $0 }].compactMap(\.self).min()
        if let expiration, expiration <= now { return nil }
        return CacheEntry.Facts(
            byteCount: file.attributes.byteCount, start: start, expiration: expiration, attributes: entry.attributes)
    }
}
