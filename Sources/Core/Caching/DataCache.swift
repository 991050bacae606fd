/// Bytes by key: the disk tier of a cache, or a store elsewhere.
///
/// Called on lanes where blocking is allowed, but for `immediateEntry(for:)` and `statistics`, from many threads at
/// once. An entry is there as a whole or not at all, whatever happens while it is written; an entry that is damaged is
/// as good as absent. `checkDataCache` of CalotypeTesting tries what can be tried without knowing how a cache stores;
/// damage and killed writers are for its own tests (`FaultyFileSystem`).
public protocol DataCache: AnyObject, Sendable {
    /// The entry for a key; nil when there is none, or none that is valid. Counts as a use of it.
    func entry(for key: VariantKey) throws -> CacheEntry?
    /// Returns the answer about the entry for a key that can be given without waiting for a device, a server or another
    /// call. Called on threads that must not block.
    ///
    /// An entry that is answered, or its absence, counts as it does with `entry(for:)`, which would have answered the
    /// same; `.unknown` counts as nothing and changes nothing. So a hit on what the system has in memory need not
    /// change threads. `.unknown` unless implemented, which is always right.
    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry
    /// Whether there is an entry for a key, without reading it. Does not count as a use.
    func contains(_ key: VariantKey) throws -> Bool
    /// Keeps an entry, in place of the one that was there.
    func store(_ entry: CacheEntry, for key: VariantKey) throws
    /// Removes one entry; doing so twice is no error.
    func remove(_ key: VariantKey) throws
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey) throws
    /// Removes the original and every variant of a source that were fetched under a policy (``VariantKey/policy``):
    /// what takes the place of one user's copies leaves those of others. Unless a cache brings its own, removes those
    /// of all policies.
    func removeAll(of source: SourceKey, under policy: String) throws
    /// Removes every entry that carries a tag, compared as Swift compares texts. Unless a cache brings its own, throws:
    /// a removal must not look done that was not.
    func removeAll(tagged tag: String) throws
    /// Removes every entry that is older than `age`, as the cache counts age: since the last use unless it says
    /// otherwise. Unless a cache brings its own, throws.
    func removeAll(olderThan age: Duration) throws
    /// Removes all entries.
    func clear() throws
    /// Returns the facts about the entry for a key without counting a use; nil if there is no readable entry. For
    /// explanations and renewals. Nil unless implemented.
    func facts(of key: VariantKey) -> CacheEntry.Facts?
    /// The statistics of requests and contents. Answers at once. Unless implemented, zeros.
    var statistics: DataCacheStatistics { get }
}

extension DataCache {
    public func removeAll(of source: SourceKey, under policy: String) throws { try removeAll(of: source) }

    public func removeAll(tagged tag: String) throws { throw ImageError.cannotRemove(self, by: "tag") }

    public func removeAll(olderThan age: Duration) throws { throw ImageError.cannotRemove(self, by: "age") }

    public var statistics: DataCacheStatistics { DataCacheStatistics() }
}

extension ImageError {
    /// Returns the error of a cache that does not implement a kind of removal.
    static func cannotRemove(_ cache: Any, by what: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: .store, component: typeName(of: cache),
            message: "the cache cannot remove by \(what): nothing was removed", advice: "remove by key or by source")
    }
}
