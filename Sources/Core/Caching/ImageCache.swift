/// A cache as the pipeline uses it, with images in a memory tier and bytes in a disk tier.
///
/// The context selects it (``ContextKey/imageCache``, ``ContextKey/originalImageCache``). Methods are called from many
/// threads at once and never under a lock.
///
/// Methods that concern only memory are called on any thread and must not block: `image(for:)`, `peek(at:)`,
/// `store(_:for:timeToLive:)`, `variants(of:)`, `remainingTime(for:)`, `tiers` and `statistics`; and, when called for
/// memory alone, `contains`, `remove`, `removeAll(of:from:)`, `removeAll(of:under:from:)`, `removeAll(tagged:from:)`
/// and `clear`. `immediateEntry` must not block either. All others may block, and are called on the lanes for reading
/// and writing.
///
/// A cache that throws does not fail the request: the image is loaded and delivered, and the failure is reported as an
/// event. `checkImageCache` of CalotypeTesting checks a cache for these rules.
public protocol ImageCache: AnyObject, Sendable {
    /// The tiers that the cache has. Nothing is made for a missing tier. Default: all.
    var tiers: CacheTiers { get }

    /// Returns the image in memory. Returns nil if there is none.
    func image(for key: VariantKey) -> Image?
    /// Returns the image in memory without counting a use, in the statistics or otherwise. Default: `image(for:)`,
    /// which counts.
    func peek(at key: VariantKey) -> Image?
    /// Stores an image in memory.
    /// - Parameter timeToLive: The time after which the image counts as absent; nil to leave it to the cache.
    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?)
    /// Returns the keys of a source's images in memory, in any order. Default: none.
    func variants(of source: SourceKey) -> [VariantKey]
    /// Returns the rest of the time to live of the image in memory. Returns nil if there is no image, or if it was
    /// stored without a time to live. Default: nil.
    ///
    /// Images made from it are not stored for longer, on disk either.
    func remainingTime(for key: VariantKey) -> Duration?

    /// Returns the bytes in the disk tier. Returns nil if there are no valid ones.
    func entry(for key: VariantKey) throws -> CacheEntry?
    /// Returns the bytes in the disk tier, or their absence, if that is known without waiting. Default: `.unknown`.
    ///
    /// The answer must be that of `entry(for:)`, and counts as one. `.unknown` counts as nothing.
    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry
    /// Stores bytes in the disk tier: all of them or, if it throws, none.
    func store(_ entry: CacheEntry, for key: VariantKey) throws

    /// Returns those of `tiers` that have the key.
    func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers
    /// Removes the entry for a key from these tiers. Does nothing if there is none.
    ///
    /// Removing from several tiers, here and below, removes from memory last, so that no request brings the image back
    /// from the disk tier meanwhile.
    func remove(_ key: VariantKey, from tiers: CacheTiers) throws
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey, from tiers: CacheTiers) throws
    /// Removes the original and every variant of a source that were fetched under a policy (``VariantKey/policy``).
    /// Default: removes those of all policies.
    func removeAll(of source: SourceKey, under policy: String, from tiers: CacheTiers) throws
    /// Removes every entry with a tag from the disk tier, then empties the memory tier, whose images have no tags.
    /// Applies only to those of `tiers`. Default: throws.
    func removeAll(tagged tag: String, from tiers: CacheTiers) throws
    /// Removes every entry that is older than `age` from the disk tier. Default: throws.
    func removeAll(olderThan age: Duration) throws
    /// Removes everything from these tiers.
    func clear(_ tiers: CacheTiers) throws
    /// Returns the facts about the entry in the disk tier, for explanations and renewals, without counting a use.
    /// Returns nil if there is no readable entry. Default: nil.
    func facts(of key: VariantKey) -> CacheEntry.Facts?
    /// The statistics of the tiers. Must not block. Default: those of no tier.
    var statistics: CacheStatistics { get }
}

extension ImageCache {
    /// Stores an image in memory, with the time to live of the cache.
    public func store(_ image: Image, for key: VariantKey) { store(image, for: key, timeToLive: nil) }

    public var tiers: CacheTiers { .all }

    public func peek(at key: VariantKey) -> Image? { image(for: key) }

    public func variants(of source: SourceKey) -> [VariantKey] { [] }

    public func remainingTime(for key: VariantKey) -> Duration? { nil }

    public func removeAll(of source: SourceKey, under policy: String, from tiers: CacheTiers) throws {
        try removeAll(of: source, from: tiers)
    }

    public func removeAll(tagged tag: String, from tiers: CacheTiers) throws {
        throw ImageError.cannotRemove(self, by: "tag")
    }

    /// Removes every entry with a tag from the disk tier, and empties the memory tier.
    public func removeAll(tagged tag: String) throws { try removeAll(tagged: tag, from: .all) }

    public func removeAll(olderThan age: Duration) throws { throw ImageError.cannotRemove(self, by: "age") }

    public var statistics: CacheStatistics { CacheStatistics() }
}
