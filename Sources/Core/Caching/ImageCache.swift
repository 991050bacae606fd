/// A cache as the pipeline sees it: images in a memory tier, bytes in a data tier.
///
/// Chosen by the context (``ContextKey/imageCache``, ``ContextKey/originalImageCache``). Methods are called from many
/// threads at once and never under a lock. `image(for:)` and `store(_:for:)` of an image answer at once, on the
/// caller's thread; all that may block is called on the lanes for reading and writing. A cache that throws does not
/// fail the request: the image is loaded and delivered, and the failure is an event.
public protocol ImageCache: AnyObject, Sendable {
    /// The image in memory; nil when there is none.
    func image(for key: VariantKey) -> Image?
    /// Keeps an image in memory.
    func store(_ image: Image, for key: VariantKey)

    /// The bytes in the data tier; nil when there are none that are valid.
    func entry(for key: VariantKey) throws -> CacheEntry?
    /// Keeps bytes in the data tier: all of them or, when it throws, none.
    func store(_ entry: CacheEntry, for key: VariantKey) throws

    /// Those of `tiers` that have the key.
    func contains(_ key: VariantKey, in tiers: CacheTiers) throws -> CacheTiers
    /// Removes one entry.
    func remove(_ key: VariantKey, from tiers: CacheTiers) throws
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey, from tiers: CacheTiers) throws
    /// Removes everything.
    func clear(_ tiers: CacheTiers) throws
}
