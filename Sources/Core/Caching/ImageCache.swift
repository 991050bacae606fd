/// A cache as the pipeline sees it: images in a memory tier, bytes in a disk tier.
///
/// Chosen by the context (``ContextKey/imageCache``, ``ContextKey/originalImageCache``). Methods are called from many
/// threads at once and never under a lock. What concerns memory alone answers at once, on the caller's thread:
/// `image(for:)`, `peek(at:)`, `store(_:for:timeToLive:)` of an image, `variants(of:)`, `remainingTime(for:)`, `tiers`,
/// `statistics`, and `contains`, `remove`, `removeAll(of:from:)`, `removeAll(of:under:from:)`,
/// `removeAll(tagged:from:)` and `clear` of memory alone; so does `immediateEntry`, which says what it can. Methods
/// that may block are called on the lanes for reading and writing. A cache that throws does not fail the request: the
/// image is loaded and delivered, and the failure is an event. `checkImageCache` of CalotypeTesting tries whether one
/// keeps to this.
public protocol ImageCache: AnyObject, Sendable {
    /// The tiers that there are: nothing is made for one that is missing. All unless implemented.
    var tiers: CacheTiers { get }

    /// The image in memory; nil when there is none.
    func image(for key: VariantKey) -> Image?
    /// The same image, without counting as a use, in the statistics or otherwise. Unless implemented, counts.
    func peek(at key: VariantKey) -> Image?
    /// Keeps an image in memory.
    /// - Parameter timeToLive: After which time it is as good as absent; nil: as the cache says.
    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?)
    /// The keys of a source's images in memory, in any order; none unless implemented.
    func variants(of source: SourceKey) -> [VariantKey]
    /// Returns the rest of the time to live of the image in memory; nil if there is no image, and if it was stored
    /// without one. What is made of it is kept no longer, on disk too. Nil unless implemented.
    func remainingTime(for key: VariantKey) -> Duration?

    /// The bytes in the disk tier; nil when there are none that are valid.
    func entry(for key: VariantKey) throws -> CacheEntry?
    /// Returns the answer about the disk tier's bytes that can be given without waiting, on the caller's thread. It is
    /// the answer of `entry(for:)`, and counts as one. `.unknown`, which counts as nothing, unless implemented.
    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry
    /// Keeps bytes in the disk tier: all of them or, when it throws, none.
    func store(_ entry: CacheEntry, for key: VariantKey) throws

    /// Those of `tiers` that have the key.
    func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers
    /// Removes one entry from these tiers; doing so twice is no error.
    ///
    /// What goes from several tiers goes from memory last, here and below, so that nobody brings it back from the data
    /// tier meanwhile.
    func remove(_ key: VariantKey, from tiers: CacheTiers) throws
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey, from tiers: CacheTiers) throws
    /// Removes the original and every variant of a source that were fetched under a policy (``VariantKey/policy``).
    /// Unless implemented, removes those of all policies.
    func removeAll(of source: SourceKey, under policy: String, from tiers: CacheTiers) throws
    /// Removes from the disk tier everything that was stored with a tag, then empties the memory tier: images know no
    /// tags. Each happens only where `tiers` has the tier. Throws unless implemented.
    func removeAll(tagged tag: String, from tiers: CacheTiers) throws
    /// Removes everything from the disk tier that is older than an age. Throws unless implemented.
    func removeAll(olderThan age: Duration) throws
    /// Removes everything.
    func clear(_ tiers: CacheTiers) throws
    /// Returns the facts about the entry in the disk tier without counting a use; nil if there is no readable entry.
    /// For explanations and renewals. Nil unless implemented.
    func facts(of key: VariantKey) -> CacheEntry.Facts?
    /// The statistics of the tiers. Answers at once. Of no tier unless implemented.
    var statistics: CacheStatistics { get }
}

extension ImageCache {
    /// Keeps an image in memory for as long as the cache says.
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

    /// Removes everything from the disk tier that was stored with a tag and empties the memory tier.
    public func removeAll(tagged tag: String) throws { try removeAll(tagged: tag, from: .all) }

    public func removeAll(olderThan age: Duration) throws { throw ImageError.cannotRemove(self, by: "age") }

    public var statistics: CacheStatistics { CacheStatistics() }
}
