/// A cache as the pipeline uses it, with images in a memory tier and bytes in a disk tier.
///
/// The context of a request selects its cache (``ContextKey/imageCache``, ``ContextKey/originalImageCache``). Methods
/// are called from many threads at once and never under a lock.
///
/// Methods that concern only memory are called on any thread and must not block: `image(for:)`, `peek(at:)`,
/// `store(_:for:timeToLive:)`, `variants(of:)`, `remainingTime(for:)`, `tiers` and `statistics`. The same applies to
/// `immediateEntry`, and to calls of `contains`, `remove`, `removeAll(of:from:)`, `removeAll(of:under:from:)`,
/// `removeAll(tagged:from:)` and `clear` for memory alone. All other calls may block, and are made on threads where
/// blocking is allowed.
///
/// A cache that throws does not fail the request: the image is loaded and delivered, and the failure is reported as an
/// event. `checkImageCache` of CalotypeTesting checks whether a cache follows these rules.
public protocol ImageCache: AnyObject, Sendable {
    /// The tiers that the cache has. Without a disk tier, for example, variants are not encoded. Default: all.
    var tiers: CacheTiers { get }

    /// Returns the image for a key in memory. Returns nil if memory has no image for the key. Counts as a use.
    func image(for key: VariantKey) -> Image?
    /// Returns the image for a key in memory without counting a use. Default: calls `image(for:)`, which counts one.
    func peek(at key: VariantKey) -> Image?
    /// Stores an image in memory.
    /// - Parameter timeToLive: The time from now after which the image counts as absent; nil for the cache's default.
    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?)
    /// Returns the keys of a source's images in memory, in any order. Default: none.
    func variants(of source: SourceKey) -> [VariantKey]
    /// Returns the remaining time to live of the image for a key in memory. Does not count as a use. Default: nil.
    ///
    /// Returns nil if there is no image, or if the image was stored without a time to live of its own. An image that is
    /// made from this image expires no later than this image, in memory and on disk.
    func remainingTime(for key: VariantKey) -> Duration?

    /// Returns the entry for a key in the disk tier. Returns nil if there is no valid entry.
    func entry(for key: VariantKey) throws -> CacheEntry?
    /// Returns the entry for a key in the disk tier, if the cache can tell without waiting. Default: `.unknown`.
    ///
    /// An answer other than `.unknown` must agree with `entry(for:)`, and counts as a use or a miss like that call.
    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry
    /// Stores an entry in the disk tier. If this throws, no part of the entry is stored.
    func store(_ entry: CacheEntry, for key: VariantKey) throws

    /// Returns those of `tiers` that have an image or an entry for a key.
    func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers
    /// Removes the image or the entry for a key from these tiers.
    ///
    /// Like all methods that remove from several tiers, removes from memory last, so that no request brings the image
    /// back from the disk tier in between.
    func remove(_ key: VariantKey, from tiers: CacheTiers) throws
    /// Removes the original and every variant of a source from these tiers.
    func removeAll(of source: SourceKey, from tiers: CacheTiers) throws
    /// Removes all images and entries of a source under one policy (``VariantKey/policy``) from these tiers. Default:
    /// removes those under all policies.
    func removeAll(of source: SourceKey, under policy: String, from tiers: CacheTiers) throws
    /// Removes every entry with a tag from the disk tier, then empties the memory tier, whose images have no tags.
    /// Tiers that are not in `tiers` remain unchanged. Default: throws.
    func removeAll(tagged tag: String, from tiers: CacheTiers) throws
    /// Removes every entry that is older than `age` from the disk tier. Default: throws.
    func removeAll(olderThan age: Duration) throws
    /// Removes everything from these tiers.
    func clear(_ tiers: CacheTiers) throws
    /// Returns the facts about the entry for a key in the disk tier, without counting a use. Default: nil.
    ///
    /// Returns nil if there is no readable entry. The library may then call `entry(for:)`, which counts a use.
    func facts(of key: VariantKey) -> CacheEntry.Facts?
    /// The statistics of the tiers. Must not block. Default: nil for both tiers.
    var statistics: CacheStatistics { get }
}

extension ImageCache {
    /// Stores an image in memory, with the default time to live of the cache.
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
