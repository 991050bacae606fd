extension ImageManager {
    /// Returns the key under which the image of a request is cached. Calls the options processor and the key filter,
    /// unless the request remembers their results. Loads the images that transformers need (``ComposingTransformer``),
    /// because their contents are part of the key. The other methods that work on a variant do so as well.
    ///
    /// Throws `invalidURL`, `schemeRefused`, `transformFailed` if an image of a transformer cannot be loaded, and
    /// `processorFailed` if the processor or the filter throws an error that is not an ``ImageError``. Throws
    /// `cancelled` if the task is cancelled while the request is resolved.
    public func cacheKey(for source: some ImageRequestConvertible) async throws(ImageError) -> VariantKey {
        try await resolved(of: source.imageRequest).variant
    }

    /// Returns the cache tiers, among `tiers`, that have the image of a request. Returns no tier if the request uses no
    /// cache. Throws `cacheFailed` if the cache fails.
    public func contains(
        _ source: some ImageRequestConvertible, in tiers: CacheTiers = .all
    ) async throws(ImageError) -> CacheTiers {
        let resolved = try await resolved(of: source.imageRequest)
        guard let cache = resolved.cache else { return [] }
        if tiers.contains(.disk) { await pipeline.pendingStores.wait(for: StoreKey(resolved.variant, in: cache)) }
        return try await caching(cache) {
            try await run(on: pipeline.lanes.reading, tiers) { try cache.contains(resolved.variant, in: tiers) }
        }
    }

    /// Stores an image as if the request had made it.
    ///
    /// The image counts as newer than the images of loads in progress. If such a load has the same source and the same
    /// settings for loading, such as the headers sent, it delivers its image but does not store it. A load that has
    /// already begun to store its image may still remove this image from memory, but not from disk.
    /// - Parameters:
    ///   - image: The image to store in the memory tier.
    ///   - data: The bytes to store in the disk tier. With nil, the default, `image` is encoded.
    ///   - source: The request.
    ///   - tiers: The tiers to store the image in. Default: all.
    ///
    /// Throws `cacheFailed`. Encoding the image throws `unknownFormat` if no coder can write the image, and
    /// `encodeFailed` if the encoding fails or would lose highlights. The call first waits until removals of earlier
    /// entries of the source have ended. Cancelling the call during this wait throws `cancelled`, and stores nothing.
    public func store(
        _ image: Image, data: Data? = nil, for source: some ImageRequestConvertible, in tiers: CacheTiers = .all
    ) async throws(ImageError) {
        let resolved = try await resolved(of: source.imageRequest)
        guard let cache = resolved.cache else {
            throw ImageError(
                .cacheFailed, stage: .store, subject: resolved.shownURL, message: "the request has no cache",
                advice: "set the context value `imageCache`")
        }
        let pipeline = pipeline
        let image = try await caching(cache) { try await pipeline.checkingClaims(of: image, resolved) }
        let (original, changes) = (resolved.variant.original, pipeline.changes)
        // Before the image counts as newer than loads in progress: a call that is cancelled here has changed nothing.
        try await caching(cache) {
            while let removal = changes.removal(of: original) { try await removal.waitForEnd() }
        }
        changes.beginReplacing(original)
        defer { changes.end(original.source) }
        await changes.removal(of: original)?.value
        if tiers.contains(.memory) {
            cache.store(image, for: resolved.variant, timeToLive: resolved.context[.timeToLive])
        }
        guard tiers.intersection(cache.tiers).contains(.disk) else { return }
        let key = resolved.variant
        let byteCount = data?.count ?? image.pixels.byteCount
        let priority = resolved.context[.priority]
        let place = StoreKey(key, in: cache)
        let store = pipeline.pendingStores.begin(place, byteCount: byteCount, priority: priority) { waiter in
            if let data { return try pipeline.entry(of: image, data: data, resolved) }
            return try await pipeline.lanes.encoding.run(for: waiter.demand, job: Job()) { _ in
                try pipeline.entry(of: image, data: nil, resolved)
            }
        } writing: { entry, waiter in
            try await pipeline.lanes.writing.run(for: waiter.demand, job: Job()) { _ in try cache.store(entry, for: key)
            }
            return []
        }
        _ = try await caching(cache) { try await store.value }
    }

    /// Removes the image of a request from its cache. Does nothing if the cache does not have the image. For a local
    /// file, removes the image of the current version of the file. With `allVariants`, removes the images of all
    /// versions.
    ///
    /// All methods that remove entries also remove those that are still being stored. A running request that read an
    /// entry from a cache before the removal does not store the entry again. A running request that has yet to load its
    /// image stores the image afterward.
    /// - Parameters:
    ///   - source: The request.
    ///   - tiers: The tiers to remove from. Default: all.
    ///   - allVariants: Whether the original and every other variant of the same source are removed as well. Default:
    ///     false.
    public func remove(
        _ source: some ImageRequestConvertible, from tiers: CacheTiers = .all, allVariants: Bool = false
    ) async throws(ImageError) {
        let resolved = try await resolved(of: source.imageRequest, needsVariant: !allVariants)
        let (variant, writing) = (resolved.variant, pipeline.lanes.writing)
        guard let cache = resolved.cache else { return }
        pipeline.changes.begin(variant.source)
        defer { pipeline.changes.end(variant.source) }
        guard !allVariants else {
            var caches = [cache]
            if let other = resolved.context[.originalImageCache], other !== cache { caches.append(other) }
            return try await removing(caches) { [pipeline] cache in
                if tiers.contains(.disk) { await pipeline.pendingStores.wait(for: variant.source, in: cache) }
                try await run(on: writing, tiers) { try cache.removeAll(of: variant.source, from: tiers) }
            }
        }
        try await caching(cache) { () async throws -> Void in
            guard tiers.contains(.disk) else { return try cache.remove(variant, from: tiers) }
            let removal = pipeline.pendingStores.beginRemoval(StoreKey(variant, in: cache)) { waiter in
                try await writing.run(for: waiter.demand, job: Job()) { _ in try cache.remove(variant, from: tiers) }
            }
            _ = try await removal.value
        }
    }

    /// Removes all entries with a tag (``ContextKey/cacheTags``) from the manager's caches. The memory tiers, whose
    /// images have no tags, are emptied. Throws `cacheFailed` if a cache fails or does not support removal by tag.
    public func removeAll(tagged tag: String) async throws(ImageError) {
        try await removingAll { try $0.removeAll(tagged: tag) }
    }

    /// Removes the entries that are older than `age` from the manager's caches. Each cache defines how it measures the
    /// age of an entry. Throws `cacheFailed` if a cache fails or does not support removal by age.
    public func removeAll(olderThan age: Duration) async throws(ImageError) {
        try await removingAll { try $0.removeAll(olderThan: age) }
    }

    /// Removes all entries from the manager's caches. Throws `cacheFailed`.
    /// - Parameter tiers: The tiers to remove from. Default: all.
    public func clearCaches(_ tiers: CacheTiers = .all) async throws(ImageError) {
        try await removingAll(tiers) { try $0.clear(tiers) }
    }

    /// The statistics of the manager's caches, summed up: a snapshot of their use and their contents. Returns at once.
    ///
    /// The manager's caches are the cache that its context sets (or its own cache if the context sets none), and the
    /// separate cache of originals if the context sets one. Caches that only requests set are not included.
    public var cacheStatistics: CacheStatistics {
        caches.reduce(into: CacheStatistics()) { $0 += $1.statistics }
    }

    /// The manager's caches, which requests use unless they set others.
    private var caches: [any ImageCache] {
        let context = ResolvedContext(layers: [(.builtIn, [.imageCache(ownCache)]), (.manager, context)])
        let caches = [context[.imageCache], context[.originalImageCache]].compactMap(\.self)
        return caches.count == 2 && caches[0] === caches[1] ? [caches[0]] : caches
    }

    /// Removes entries of the manager's caches, including those that are being stored.
    private func removingAll(
        _ tiers: CacheTiers = .all, _ body: @escaping @Sendable (any ImageCache) throws -> Void
    ) async throws(ImageError) {
        pipeline.changes.begin(nil)
        defer { pipeline.changes.end(nil) }
        try await removing(caches) { [pipeline] cache in
            if tiers.contains(.disk) { await pipeline.pendingStores.wait(for: cache) }
            try await run(on: pipeline.lanes.writing, tiers) { try body(cache) }
        }
    }

    /// Runs `body` on `lane`. Without the disk tier, the only tier that blocks, `body` runs on the current thread.
    private func run<Result: Sendable>(
        on lane: Lane, _ tiers: CacheTiers, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        guard tiers.contains(.disk) else { return try body() }
        return try await lane.run(body)
    }

    /// Calls `body` for every cache, even after an error. Throws the first error at the end.
    private func removing(
        _ caches: [any ImageCache], _ body: (any ImageCache) async throws -> Void
    ) async throws(ImageError) {
        var failure: ImageError?
        for cache in caches {
            do throws(ImageError) {
                try await caching(cache) { try await body(cache) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Returns a resolved request.
    /// - Parameter needsVariant: Whether the key of the variant is needed, for which the images that transformers need
    ///   are loaded. Default: true.
    func resolved(
        of request: ImageRequest, needsVariant: Bool = true
    ) async throws(ImageError) -> ResolvedRequest {
        let layers = layers(for: request)
        if let known = resolver.remembered(request, in: layers.id) { return known }
        do {
            return try await resolver.resolve(
                request, layers, for: SilentWaiter(priority: .normal), isObserved: false,
                preparing: needsVariant ? preparation : nil)
        } catch {
            throw ImageError.wrapping(
                error, as: .processorFailed, stage: .resolve, message: "the request could not be resolved"
            ).asFailureUnlessCancelled.about(request.subject)
        }
    }

    /// Runs `body`, and converts every error to an ``ImageError``.
    private func caching<Result>(
        _ cache: any ImageCache, _ body: () async throws -> Result
    ) async throws(ImageError) -> Result {
        do {
            return try await body()
        } catch {
            throw .thrown(by: cache, error, stage: .store)
        }
    }
}
