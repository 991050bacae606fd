/// A store of decoded images by key: the memory tier of a cache.
///
/// A cache returns the very image that was stored: its pixels are shared and not copied. Methods are called from many
/// threads at once and must not block. Images that a call removes from the cache are released before the call returns.
/// `checkMemoryCache` of CalotypeTesting checks whether a cache follows these rules.
public protocol MemoryCache: AnyObject, Sendable {
    /// Returns the image for a key. Returns nil if there is none. Counts as a use.
    func image(for key: VariantKey) -> Image?
    /// Returns the image for a key without counting a use. Default: calls `image(for:)`, which counts one.
    func peek(at key: VariantKey) -> Image?
    /// Returns whether there is an image for a key. Does not count as a use.
    func contains(_ key: VariantKey) -> Bool
    /// Stores an image. Replaces the previous image for the key.
    /// - Parameter timeToLive: The time from now after which the image expires; nil for the cache's default. If it is
    ///   zero or less, the image is not stored, and the previous image for the key is removed.
    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?)
    /// Removes the image for a key.
    func remove(_ key: VariantKey)
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey)
    /// Removes all images of a source under one policy (``VariantKey/policy``). Default: removes those of all policies.
    func removeAll(of source: SourceKey, under policy: String)
    /// Removes all images.
    func clear()
    /// Returns the keys of all images of a source, in any order. Does not count as a use. Default: none.
    func variants(of source: SourceKey) -> [VariantKey]
    /// Returns the remaining time to live of the image for a key. Does not count as a use. Default: nil.
    ///
    /// Returns nil if there is no image, or if the image was stored without a time to live of its own. An image that is
    /// made from this image expires no later than this image, in memory and on disk.
    func remainingTime(for key: VariantKey) -> Duration?
    /// The statistics of the requests to the cache and of its contents. Default: zeros.
    var statistics: MemoryCacheStatistics { get }
}

extension MemoryCache {
    /// Stores an image with the default time to live of the cache. Replaces the previous image for the key.
    public func store(_ image: Image, for key: VariantKey) { store(image, for: key, timeToLive: nil) }

    public func peek(at key: VariantKey) -> Image? { image(for: key) }

    public func removeAll(of source: SourceKey, under policy: String) { removeAll(of: source) }

    public func variants(of source: SourceKey) -> [VariantKey] { [] }

    public func remainingTime(for key: VariantKey) -> Duration? { nil }

    public var statistics: MemoryCacheStatistics { MemoryCacheStatistics() }
}
