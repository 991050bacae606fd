extension CacheEntry {
    /// What a cache can tell of an entry without its counting as a use.
    public struct Facts: Sendable, Hashable {
        /// The bytes that it takes.
        public var byteCount: Int
        /// From when its age counts, in seconds since 1970; nil where the cache does not know.
        public var start: Double?
        /// From when on it is as good as absent, in seconds since 1970: by its own date or by the cache's rules,
        /// whichever is earlier. Nil for never.
        public var expiration: Double?
        /// What is kept beside the bytes.
        public var attributes: [String: String]

        /// Facts; says nothing unless told.
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
    public func facts(of key: VariantKey) -> CacheEntry.Facts? { data?.facts(of: key) }
}

extension CacheGroup {
    /// What the highest cache knows that does, of those that queries concern.
    public func facts(of key: VariantKey) -> CacheEntry.Facts? {
        roster(\.query).choice(.disk).members.lazy.compactMap { $0.cache.facts(of: key) }.first
    }
}

extension DiskCache {
    /// What is known of the entry for a key, or of the one that a read-only folder has. Reads and verifies it.
    public func facts(of key: VariantKey) -> CacheEntry.Facts? {
        let isTimeToCheck = entries.refresh(at: time.now())
        let now = time.wallTime()
        let isUsable = !isTimeToCheck || (try? checkFolder(for: .query)) != nil
        if isUsable, let facts = ownFacts(of: key, at: now, isChecked: isTimeToCheck) { return facts }
        for folder in readOnlyFolders {
            guard let entry = try? readOnlyEntry(for: key, in: folder, at: now) else { continue }
            return CacheEntry.Facts(
                byteCount: entry.data.count, expiration: entry.expiration, attributes: entry.attributes)
        }
        return nil
    }

    private func ownFacts(of key: VariantKey, at now: Double, isChecked: Bool) -> CacheEntry.Facts? {
        guard
            let name = try? nameForReading(of: key, isChecked: isChecked),
            let file = try? files.contents(of: name.path, in: entries, byteLimit: configuration.byteLimit),
            (try? checkOwner(of: file.attributes, in: name.folder)) != nil,
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
