extension ImageManager {
    /// The key under which the image of a request is cached. Runs the options processor and the key filter.
    ///
    /// Throws `invalidURL` and `processorFailed`.
    public func cacheKey(for source: some ImageRequestConvertible) async throws(ImageError) -> VariantKey {
        try await resolution(of: source.imageRequest).variant
    }

    /// Those of `tiers` that have the image of a request. A cache that fails throws `cacheFailed`.
    public func contains(
        _ source: some ImageRequestConvertible, in tiers: CacheTiers = .all
    ) async throws(ImageError) -> CacheTiers {
        let resolution = try await resolution(of: source.imageRequest)
        guard let cache = resolution.cache else { return [] }
        await pipeline.pendingStores.wait(for: StoreKey(resolution.variant, in: cache))
        return try await caching(cache, on: pipeline.lanes.reading) { cache in
            try cache.contains(resolution.variant, in: tiers)
        }
    }

    /// Keeps an image as if the request had made it.
    /// - Parameters:
    ///   - image: The image, for memory.
    ///   - data: Its bytes, for the data tier; nil encodes them by the default rule.
    ///   - source: The request.
    ///   - tiers: Where to.
    /// Throws `cacheFailed`, and `encodeFailed` when there are no bytes and no coder can write them.
    public func store(
        _ image: Image, data: Data? = nil, for source: some ImageRequestConvertible, in tiers: CacheTiers = .all
    ) async throws(ImageError) {
        let resolution = try await resolution(of: source.imageRequest)
        guard let cache = resolution.cache else {
            throw ImageError(
                .cacheFailed, stage: .store, subject: resolution.url.redacted, message: "the request has no cache",
                advice: "set the context value `imageCache`")
        }
        if tiers.contains(.memory) {
            cache.store(image, for: resolution.variant, timeToLive: resolution.context[.timeToLive])
        }
        guard tiers.contains(.disk) else { return }
        let pipeline = pipeline
        let entry = try await caching(cache, on: pipeline.lanes.encoding) { _ in
            try pipeline.entry(of: image, data: data, resolution)
        }
        await pipeline.pendingStores.wait(for: StoreKey(resolution.variant, in: cache))
        try await caching(cache, on: pipeline.lanes.writing) { try $0.store(entry, for: resolution.variant) }
    }

    /// Removes the image of a request from its cache; doing so twice is no error.
    /// - Parameters:
    ///   - source: The request.
    ///   - tiers: Where from. Default: all.
    ///   - allVariants: Whether the original and every other variant of the same source go as well. Default: no.
    public func remove(
        _ source: some ImageRequestConvertible, from tiers: CacheTiers = .all, allVariants: Bool = false
    ) async throws(ImageError) {
        let resolution = try await resolution(of: source.imageRequest)
        let (variant, writing) = (resolution.variant, pipeline.lanes.writing)
        guard let cache = resolution.cache else { return }
        guard allVariants else {
            await pipeline.pendingStores.wait(for: StoreKey(variant, in: cache))
            return try await caching(cache, on: writing) { try $0.remove(variant, from: tiers) }
        }
        var caches = [cache]
        if let other = resolution.context[.originalImageCache], other !== cache { caches.append(other) }
        for cache in caches {
            await pipeline.pendingStores.wait(for: variant.source, in: cache)
            try await caching(cache, on: writing) { try $0.removeAll(of: variant.source, from: tiers) }
        }
    }

    /// Removes everything that was stored with a tag (``ContextKey/cacheTags``) from the manager's caches; the memory
    /// tiers, which know no tags, are emptied. Throws `cacheFailed`, also for a cache that cannot do it.
    public func removeAll(tagged tag: String) async throws(ImageError) {
        try await purging { try $0.removeAll(tagged: tag) }
    }

    /// Removes from the manager's caches what is older than an age, as they count it. Throws `cacheFailed`, also for a
    /// cache that cannot do it.
    public func removeAll(olderThan age: Duration) async throws(ImageError) {
        try await purging { try $0.removeAll(olderThan: age) }
    }

    private func purging(_ body: @escaping @Sendable (any ImageCache) throws -> Void) async throws(ImageError) {
        let context = ResolvedContext(layers: [(.builtIn, [.imageCache(ownCache)]), (.manager, context)])
        var caches: [any ImageCache] = []
        for cache in [context[.imageCache], context[.originalImageCache]].compactMap(\.self)
        where !caches.contains(where: { $0 === cache }) {
            caches.append(cache)
        }
        // One that fails does not keep the other from being purged.
        var failure: ImageError?
        for cache in caches {
            await pipeline.pendingStores.wait(for: cache)
            do throws(ImageError) {
                try await caching(cache, on: pipeline.lanes.writing, body)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    func resolution(of request: ImageRequest) async throws(ImageError) -> Resolution {
        let layers = layers(for: request)
        if let known = request.resolution(in: layers.id) { return known }
        do {
            return try await pipeline.lanes.resolving.run { try self.resolve(request, layers: layers) }
        } catch {
            throw ImageError.wrapping(error, as: .processorFailed, stage: .resolve, message: "failed")
                .about(request.subject)
        }
    }

    /// What `body` does with a cache, on a lane.
    private func caching<Result: Sendable>(
        _ cache: any ImageCache, on lane: Lane, _ body: @escaping @Sendable (any ImageCache) throws -> Result
    ) async throws(ImageError) -> Result {
        do {
            return try await lane.run { try body(cache) }
        } catch {
            throw ImageError.wrapping(
                error, as: .cacheFailed, stage: .store, component: typeName(of: cache), message: "the cache failed")
        }
    }
}
