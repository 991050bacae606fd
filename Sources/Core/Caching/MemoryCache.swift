/// Decoded images by key: the memory tier of a cache.
///
/// Called from many threads at once; every call must return at once.
public protocol MemoryCache: AnyObject, Sendable {
    /// The image for a key; nil when there is none. Counts as a use of it.
    func image(for key: VariantKey) -> Image?
    /// Whether there is an image for a key. Does not count as a use.
    func contains(_ key: VariantKey) -> Bool
    /// Keeps an image, in place of the one that was there.
    func store(_ image: Image, for key: VariantKey)
    /// Removes one image.
    func remove(_ key: VariantKey)
    /// Removes the original and every variant of a source.
    func removeAll(of source: SourceKey)
    /// Removes all images.
    func clear()
}
