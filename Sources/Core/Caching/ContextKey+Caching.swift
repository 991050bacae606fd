extension ContextKey where Value == (any ImageCache)? {
    /// The cache in which requests look for and store their images. It also contains the originals of these images,
    /// unless ``originalImageCache`` is set.
    public static let imageCache = ContextKey(
        component: "imageCache", isKeptByImages: false,
        summary: "The cache of variants, and of originals unless they have their own.")
    /// The separate cache of the originals from which variants are made; nil if ``imageCache`` contains them. An
    /// original that is itself the image of a request is always in ``imageCache``.
    public static let originalImageCache = ContextKey(
        component: "originalImageCache", isKeptByImages: false,
        summary: "The cache of originals, if it is not the one of variants.")
}

extension ContextKey where Value == CacheTiers {
    /// The tiers in which a request looks for its image, which is a variant or the original itself.
    public static let queryCacheType = ContextKey(
        "queryCacheType", default: .all, summary: "The tiers in which a variant is looked for.")
    /// The tiers in which a request stores its image, which is a variant or the original itself.
    public static let storeCacheType = ContextKey(
        "storeCacheType", default: .all, summary: "The tiers in which a variant is kept.")
    /// The tiers in which a request for a variant looks for the original.
    public static let originalQueryCacheType = ContextKey(
        "originalQueryCacheType", default: .disk, summary: "The tiers in which an original is looked for.")
    /// The tiers in which a request for a variant stores the original.
    public static let originalStoreCacheType = ContextKey(
        "originalStoreCacheType", default: .disk, summary: "The tiers in which an original is kept.")
}

extension ContextKey where Value == Bool {
    /// Whether loading is forbidden, so that a miss fails the request.
    public static let fromCacheOnly = ContextKey(
        "fromCacheOnly", summary: "Never load; a miss is the error `notCached`.")
    /// Whether the request skips all caches and loads the image.
    public static let fromLoaderOnly = ContextKey(
        "fromLoaderOnly", summary: "Ask no cache; loaded images are still stored.")
    /// Whether the source is asked for a newer image even if a cache has the image.
    public static let refreshCached = ContextKey(
        "refreshCached", summary: "Show the cached image, and ask the source whether it is still valid.")
    /// Whether the bytes of an original are read from the disk tier even if the memory tier has the image. The response
    /// then contains them as ``ImageResponse/data``.
    public static let queryMemoryData = ContextKey(
        "queryMemoryData", summary: "Read the original's bytes from the disk tier even though memory has its image.")
    /// Whether a request ends only after its image has been written to the caches.
    public static let waitStoreCache = ContextKey(
        "waitStoreCache", summary: "End the request only when the image has been written to the caches.")
}

extension ContextKey where Value == Duration? {
    /// The time to live of entries that a request stores.
    public static let timeToLive = ContextKey(
        "timeToLive", summary: "The time to live of entries that the request stores; none: the cache's own.")
}

extension ContextKey where Value == CacheTags {
    /// The tags by which the entries that a request stores can be removed together.
    public static let cacheTags = ContextKey(
        "cacheTags", default: [],
        summary: "The tags by which the entries that the request stores can be removed together."
    )
}

extension ContextKey where Value == (any CacheKeyFilter)? {
    /// The filter that returns the text by which caches identify a source, given its URL.
    public static let cacheKeyFilter = ContextKey(
        component: "cacheKeyFilter", isKeptByImages: false,
        summary: "The filter that makes the source key of a URL; none: the URL itself.")
}

extension ContextKey where Value == (any CacheSerializer)? {
    /// The serializer that decides which bytes are stored on disk.
    public static let cacheSerializer = ContextKey(
        component: "cacheSerializer", isKeptByImages: false,
        summary: "The serializer that decides the bytes stored for an image; none: the default rule.")
}

extension ContextSetting {
    /// Sets the cache in which requests look for and store their images. It also contains the originals of these
    /// images, unless the originals have a separate cache.
    public static func imageCache(_ cache: any ImageCache) -> ContextSetting { .set(.imageCache, to: cache) }
    /// Sets a separate cache for the originals from which variants are made. Default: none.
    public static func originalImageCache(_ cache: any ImageCache) -> ContextSetting {
        .set(.originalImageCache, to: cache)
    }
    /// Sets the tiers in which a request looks for its image. Default: all.
    public static func queryCacheType(_ tiers: CacheTiers) -> ContextSetting { .set(.queryCacheType, to: tiers) }
    /// Sets the tiers in which a request stores its image. Default: all.
    public static func storeCacheType(_ tiers: CacheTiers) -> ContextSetting { .set(.storeCacheType, to: tiers) }
    /// Sets the tiers in which a request for a variant looks for the original. Default: disk.
    public static func originalQueryCacheType(_ tiers: CacheTiers) -> ContextSetting {
        .set(.originalQueryCacheType, to: tiers)
    }
    /// Sets the tiers in which a request for a variant stores the original. Default: disk.
    ///
    /// Memory stores an original only if it is decoded whole: without a thumbnail size, and without transformers that
    /// are done while it is decoded (``Explanation/decodedTransformers``).
    public static func originalStoreCacheType(_ tiers: CacheTiers) -> ContextSetting {
        .set(.originalStoreCacheType, to: tiers)
    }
    /// Forbids loading. If no cache has the image, the request fails with the code `notCached`. Default: off.
    public static var fromCacheOnly: ContextSetting { .on(.fromCacheOnly) }
    /// Skips all caches and loads the image. The loaded image is still stored. Default: off.
    public static var fromLoaderOnly: ContextSetting { .on(.fromLoaderOnly) }
    /// Shows the cached image, as ``ImageEvent/cached(_:)``, and asks the source whether it is still valid. Default:
    /// off.
    ///
    /// If the image is still valid, the response's `source` is ``ImageResponse/Source/revalidated``. Otherwise the new
    /// image is delivered and stored, and the old original and all its variants are removed. Entries that were fetched
    /// under another policy (``VariantKey/policy``), for example by another user, remain.
    ///
    /// If asking the source fails, the request fails, and the cached image remains in the cache. If a delegate does not
    /// allow the load, the response contains the cached image. Has no effect together with ``fromCacheOnly`` or
    /// ``fromLoaderOnly``.
    public static var refreshCached: ContextSetting { .on(.refreshCached) }
    /// Reads the bytes of an original from the disk tier even if the memory tier has the image, so that the response
    /// contains them as ``ImageResponse/data``. Has no effect on requests for variants. Default: off.
    public static var queryMemoryData: ContextSetting { .on(.queryMemoryData) }
    /// Ends the request only after the image has been written to the caches. Default: off.
    public static var waitStoreCache: ContextSetting { .on(.waitStoreCache) }
    /// Sets the time to live of the entries that the request stores. Default: that of the cache.
    public static func timeToLive(_ time: Duration) -> ContextSetting { .set(.timeToLive, to: time) }
    /// Sets the tags by which the entries that the request stores can be removed together. Default: none.
    public static func cacheTags(_ tags: CacheTags) -> ContextSetting { .set(.cacheTags, to: tags) }
    /// Sets the filter that returns the text by which caches identify a source, given its URL. Default: the URL itself
    /// identifies the source.
    public static func cacheKeyFilter(_ filter: any CacheKeyFilter) -> ContextSetting {
        .set(.cacheKeyFilter, to: filter)
    }
    /// Sets the serializer that decides which bytes are stored for an image. Default: none. Originals are then stored
    /// as received, and variants are encoded, without loss or as JPEG.
    public static func cacheSerializer(_ serializer: any CacheSerializer) -> ContextSetting {
        .set(.cacheSerializer, to: serializer)
    }
}

extension ContextDeclaration {
    /// The declarations of the context keys for caching.
    static let caching: [ContextDeclaration] = [
        ContextKey.imageCache.declaration, ContextKey.originalImageCache.declaration,
        ContextKey.queryCacheType.declaration, ContextKey.storeCacheType.declaration,
        ContextKey.originalQueryCacheType.declaration, ContextKey.originalStoreCacheType.declaration,
        ContextKey.fromCacheOnly.declaration, ContextKey.fromLoaderOnly.declaration,
        ContextKey.refreshCached.declaration, ContextKey.queryMemoryData.declaration,
        ContextKey.waitStoreCache.declaration, ContextKey.timeToLive.declaration, ContextKey.cacheTags.declaration,
        ContextKey.cacheKeyFilter.declaration, ContextKey.cacheSerializer.declaration,
    ]
}
