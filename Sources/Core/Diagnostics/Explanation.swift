/// Why a request does what it does: each value in force with the layer that it comes from, what follows from them, and
/// what caches have of it.
///
/// `description` is for people:
///
/// ```text
/// thumbnailPixelSize  400x400  request, over 800x800 (manager)
/// ```
public struct Explanation: Sendable {
    /// A value in force.
    public struct Value: Sendable {
        /// The key.
        public let key: ContextDeclaration
        /// The value as text.
        public let text: String
        /// The layer that set it.
        public let layer: ContextLayer
        /// The values of farther layers, the nearest first.
        public let hidden: [(layer: ContextLayer, text: String)]
        /// Whether the options processor set it to something else than it found.
        public let isChangedByProcessor: Bool
    }

    /// The copy that a cache has under a key.
    public struct Copy: Sendable {
        /// An image in memory.
        public struct Picture: Sendable, Hashable {
            /// Its size in pixels.
            public let size: PixelSize
            /// The memory that it takes.
            public let byteCount: Int
            /// The rest of the time to live that the entry was stored with; nil if it was stored without one.
            public let remainingTime: Duration?
        }

        /// The key.
        public let key: VariantKey
        /// The type of the cache.
        public let cache: String
        /// Those of its tiers that have it.
        public let tiers: CacheTiers
        /// The picture in the memory tier.
        public let picture: Picture?
        /// The facts about the entry in the disk tier that the cache tells without counting a use.
        public let entry: CacheEntry.Facts?
        /// Why the disk tier could not be asked; nil when it could.
        public let failure: ImageError?
    }

    /// The time of the explanation, in seconds since 1970.
    public let time: Double
    /// The URL without credentials.
    public let url: String
    /// Every value that a layer has set, sorted by name.
    public let values: [Value]
    /// The identity of the image's source in caches.
    public let source: SourceKey
    /// Under which key the image is cached.
    public let variant: VariantKey
    /// A digest of what decides whether two requests may share a transfer, which is not printed itself, since it can
    /// hold secrets. It is made with a key of this process: to be compared with others of the same process alone.
    public let transferDigest: String
    /// The cache's copy of the image; nil for a request without a cache.
    public let image: Copy?
    /// The copy of the original in the cache of originals; nil for a request without such a cache, and if the image is
    /// the original itself.
    public let original: Copy?
    /// The key of a larger size in memory that would be delivered in place of the image
    /// (``ContextKey/allowLargerCached``).
    public let larger: VariantKey?
    /// Whether the original on disk may still be used as it is, by the rules of HTTP, in words; nil if none is kept
    /// or its server has said nothing.
    public let freshness: String?
    /// The error that the request would throw if no cache had the image, because its URL failed recently; nil if the
    /// URL would be loaded.
    public let failure: ImageError?
    /// The loader that takes the URL; nil when none does.
    public let loader: String?
    /// The loaders that would be asked before it, and do not take the URL.
    public let passedLoaders: [String]
    /// The number of retries of a failed load, in words.
    public let retries: String
    /// The URLs that would be loaded if the request's own URL had no image, without credentials, in this order.
    public let alternatives: [String]
    /// The coders in the order in which they will be asked, with their formats.
    public let coders: [(name: String, formats: [String])]
    /// The keys of the transformers in the order in which they are applied.
    public let transformers: [String]
}
