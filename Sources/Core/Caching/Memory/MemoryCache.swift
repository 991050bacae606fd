/// Decoded images by key: the memory tier of a cache.
///
/// What it answers is the very image that was stored, whose pixels are shared and not copied. Called from many threads
/// at once; every call must return at once, and what it drops is released when it returns. `checkMemoryCache` of
/// CalotypeTesting tries whether one keeps to this.
public protocol MemoryCache: AnyObject, Sendable {
    /// The image for a key; nil when there is none. Counts as a use of it.
    func image(for key: VariantKey) -> Image?
    /// The same image, without counting as a use, in the statistics or otherwise. Unless implemented, counts.
    ///
    /// For requests that look at all sizes of a picture to take one (``ContextKey/allowLargerCached``).
    func peek(at key: VariantKey) -> Image?
    /// Whether there is an image for a key. Does not count as a use.
    func contains(_ key: VariantKey) -> Bool
    /// Keeps an image, in place of the one that was there.
    /// - Parameters:
    ///   - image: The image.
    ///   - key: What it is found by.
    ///   - timeToLive: How long it may be found from now on; nil for as long as the cache finds right. With zero or
    ///     less it is not found at all, and neither is the one that was there.
    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?)
    /// Removes one image.
    func remove(_ key: VariantKey)
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey)
    /// Removes the original and every variant of a source that were fetched under a policy (``VariantKey/policy``).
    /// Unless implemented, removes those of all policies.
    func removeAll(of source: SourceKey, under policy: String)
    /// Removes all images.
    func clear()
    /// The keys of all images of a source that are there, in any order. Does not count as a use.
    ///
    /// For requests that take a larger size instead (``ContextKey/allowLargerCached``). Unless implemented, there are
    /// none.
    func variants(of source: SourceKey) -> [VariantKey]
    /// Returns the rest of the time to live that the image for a key was stored with; nil if there is no image, and if
    /// it was stored without one: the time to live that a cache gives to all images concerns its memory alone. Does not
    /// count as a use.
    ///
    /// What is made of the image is kept no longer, on disk too. Unless implemented, nil.
    func remainingTime(for key: VariantKey) -> Duration?
    /// The statistics of requests and contents. Unless implemented, zeros.
    var statistics: MemoryCacheStatistics { get }
}

extension MemoryCache {
    /// Keeps an image, in place of the one that was there, for as long as the cache finds right.
    public func store(_ image: Image, for key: VariantKey) { store(image, for: key, timeToLive: nil) }

    public func peek(at key: VariantKey) -> Image? { image(for: key) }

    public func removeAll(of source: SourceKey, under policy: String) { removeAll(of: source) }

    public func variants(of source: SourceKey) -> [VariantKey] { [] }

    public func remainingTime(for key: VariantKey) -> Duration? { nil }

    public var statistics: MemoryCacheStatistics { MemoryCacheStatistics() }
}
