/// An explanation of a request's behavior: each context value in force with the layer that set it, the keys of the
/// image in caches, the cached copies, and the components that would be asked.
///
/// The `description` is readable text:
///
/// ```text
/// thumbnailPixelSize  400x400  request, over 800x800 (manager)
/// ```
public struct Explanation: Sendable {
    /// A context value in force.
    public struct Value: Sendable {
        /// The key.
        public let key: ContextDeclaration
        /// The value as text.
        public let text: String
        /// The layer that set the value.
        public let layer: ContextLayer
        /// The values that farther layers set for the key, the nearest layer first.
        public let hidden: [(layer: ContextLayer, text: String)]
        /// Whether the options processor changed the value.
        public let isChangedByProcessor: Bool
    }

    /// The state of an image in a cache: the tiers that have a copy under the key, and the properties of the copies.
    public struct Copy: Sendable {
        /// An image in memory.
        public struct Picture: Sendable, Hashable {
            /// The size in pixels.
            public let size: PixelSize
            /// The memory that the image takes, in bytes.
            public let byteCount: Int
            /// The remaining time to live of the image; nil if the image was stored without a time to live of its own.
            /// A default of the cache does not count.
            public let remainingTime: Duration?
        }

        /// The key.
        public let key: VariantKey
        /// The name of the cache's type.
        public let cache: String
        /// The tiers of the cache that have the image.
        public let tiers: CacheTiers
        /// The picture in the memory tier; nil if there is none.
        public let picture: Picture?
        /// The properties of the entry in the disk tier; nil if the cache reports none.
        public let entry: CacheEntry.Facts?
        /// The error that the disk tier threw when it was asked whether it has the entry; nil if it threw none.
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
    /// The key under which the image is cached.
    public let variant: VariantKey
    /// A digest of the identity of the transfer. Requests with the same identity share a transfer. The identity itself
    /// is not printed, since it can contain secrets. The digest uses a key of this process, so it can be compared only
    /// with digests of the same process.
    public let transferDigest: String
    /// The state of the image in the request's cache; nil for a request without a cache.
    public let image: Copy?
    /// The state of the original in the cache of originals. Nil if the request has no such cache, or if the requested
    /// image is the original itself.
    public let original: Copy?
    /// The key of the larger image in memory that would be delivered in place of the requested one
    /// (``ContextKey/allowLargerCached``); nil if there is none.
    public let larger: VariantKey?
    /// A description of whether the original on disk may be used without revalidation, according to the rules of HTTP.
    /// Nil if there is no such original, or if the server has sent no rules.
    public let freshness: String?
    /// The remembered error of a recent request for the URL. If no cache had the image, the request would throw this
    /// error. Nil if no remembered error would stop the request.
    public let failure: ImageError?
    /// The name of the loader that takes the URL; nil if no loader takes it.
    public let loader: String?
    /// The names of the registered loaders that come before ``loader`` and do not take the URL. If no loader takes it,
    /// these are all registered loaders.
    public let passedLoaders: [String]
    /// The number of retries of a failed load, in words.
    public let retries: String
    /// The URLs, without credentials, that would be loaded in this order if the request's own URL had no image.
    public let alternatives: [String]
    /// The coders in the order in which they would be asked, with their formats.
    public let coders: [(name: String, formats: [String])]
    /// The keys of the transformers in the order in which they are applied.
    public let transformers: [String]
    /// The keys of the transformers, or of their first parts, that are done while the picture is decoded. They come
    /// before all others.
    public let decodedTransformers: [String]
    /// The keys of transformers that do the work of several in one pass (``JoiningTransformer``).
    public let joinedTransformers: [String]
}
