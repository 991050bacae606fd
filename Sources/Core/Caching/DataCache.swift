/// A store of cache entries by key. It serves as the disk tier of a cache, but may keep the entries elsewhere, for
/// example on a server.
///
/// Methods are called from many threads at once. They may block, except for `immediateEntry(for:)` and `statistics`. An
/// entry must be complete or absent, whatever happens while it is written, and a damaged entry must count as absent.
///
/// `checkDataCache` of CalotypeTesting checks everything that does not depend on how a cache stores its entries. It
/// cannot check damaged entries and writers that are killed: write tests of your own for these, for example with
/// `FaultyFileSystem`.
public protocol DataCache: AnyObject, Sendable {
    /// Returns the entry for a key. Returns nil if there is no valid entry. Counts as a use of the entry.
    func entry(for key: VariantKey) throws -> CacheEntry?
    /// Returns the answer that `entry(for:)` would give, if the cache can tell without waiting for a device, a server
    /// or another call. Called on threads that must not block. Default: `.unknown`, which is always a correct answer.
    ///
    /// A known answer counts as a use or a miss, like that of `entry(for:)`. `.unknown` counts as neither, and changes
    /// nothing.
    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry
    /// Returns whether there is an entry for a key, without reading it. Does not count as a use.
    func contains(_ key: VariantKey) throws -> Bool
    /// Stores an entry. Replaces the previous one for the key.
    func store(_ entry: CacheEntry, for key: VariantKey) throws
    /// Removes the entry for a key. Does nothing if there is none.
    func remove(_ key: VariantKey) throws
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey) throws
    /// Removes those entries of a source that have a given policy (``VariantKey/policy``), for example the entries of
    /// one user. Default: removes the entries of all policies.
    func removeAll(of source: SourceKey, under policy: String) throws
    /// Removes every entry that has a tag. Tags are compared like strings in Swift. Default: throws, so that callers
    /// notice that the cache does not support tags.
    func removeAll(tagged tag: String) throws
    /// Removes every entry that is older than `age`. A cache counts age since the last use unless it documents
    /// otherwise. Default: throws.
    func removeAll(olderThan age: Duration) throws
    /// Removes all entries.
    func clear() throws
    /// Returns the facts about the entry for a key, without counting a use. Returns nil if there is no readable entry.
    /// Default: nil.
    ///
    /// Called to explain requests. Also called after a source has confirmed that an entry is still valid, before the
    /// entry is stored again with new attributes. The facts then show whether another entry has taken its place in the
    /// meantime. If they are nil, `entry(for:)` is called instead, which counts as a use.
    func facts(of key: VariantKey) -> CacheEntry.Facts?
    /// The statistics of the calls to the cache and of its contents. Must not block. Default: the statistics of a cache
    /// that has done nothing.
    var statistics: DataCacheStatistics { get }
}

extension DataCache {
    public func removeAll(of source: SourceKey, under policy: String) throws { try removeAll(of: source) }

    public func removeAll(tagged tag: String) throws { throw ImageError.cannotRemove(self, by: "tag") }

    public func removeAll(olderThan age: Duration) throws { throw ImageError.cannotRemove(self, by: "age") }

    public var statistics: DataCacheStatistics { DataCacheStatistics() }
}

extension ImageError {
    /// Returns the error of a cache that does not support removal by `what`, for example by tag.
    static func cannotRemove(_ cache: Any, by what: String) -> ImageError {
        ImageError(
            .cacheFailed, stage: .store, component: typeName(of: cache),
            message: "the cache does not support removal by \(what); nothing was removed",
            advice: "remove by key or by source")
    }
}
