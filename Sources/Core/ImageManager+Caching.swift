extension ImageManager {
    /// The key under which the image of a request is cached. Runs the options processor and the key filter.
    ///
    /// Throws `invalidURL`, `schemeRefused` and `processorFailed`.
    public func cacheKey(for source: some ImageRequestConvertible) async throws(ImageError) -> VariantKey {
        try await resolved(of: source.imageRequest).variant
    }

    /// Those of `tiers` that have the image of a request. A cache that fails throws `cacheFailed`.
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

    /// Keeps an image as if the request had made it. Loads of the same source and policy that are under way deliver
    /// their images without caching them, since this one is newer. A load that stores its image at this very moment may
    /// remove this one from memory, but not from disk.
    /// - Parameters:
    ///   - image: The image, for memory.
    ///   - data: Its bytes, for the disk tier; nil encodes them by the default rule.
    ///   - source: The request.
    ///   - tiers: The tiers to store it in.
    ///
    /// Throws `cacheFailed`. Without `data` it throws `unknownFormat` if no coder can write the image, and
    /// `encodeFailed` if its highlights would be lost. Cancelling the call while a replaced entry of the source is
    /// still being removed throws `cancelled`, and stores nothing.
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
        // Before it counts as newer than what is being loaded: a call that is cancelled here has changed nothing.
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

    /// Removes the image of a request from its cache; doing so twice is no error. For a local file, removes the image
    /// of its present version; `allVariants` removes those of all its versions.
    ///
    /// What is still being stored goes too, here and wherever something is removed. What requests under way have found
    /// in a cache before is not kept again; what they have yet to load is kept when they have made it.
    /// - Parameters:
    ///   - source: The request.
    ///   - tiers: Where from. Default: all.
    ///   - allVariants: Whether the original and every other variant of the same source go as well. Default: no.
    public func remove(
        _ source: some ImageRequestConvertible, from tiers: CacheTiers = .all, allVariants: Bool = false
    ) async throws(ImageError) {
        let resolved = try await resolved(of: source.imageRequest)
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

    /// Removes everything that was stored with a tag (``ContextKey/cacheTags``) from the manager's caches; the memory
    /// tiers, which know no tags, are emptied. Throws `cacheFailed`, also for a cache that cannot do it.
    public func removeAll(tagged tag: String) async throws(ImageError) {
        try await removingAll { try $0.removeAll(tagged: tag) }
    }

    /// Removes from the manager's caches what is older than an age, as they count it. Throws `cacheFailed`, also for a
    /// cache that cannot do it.
    public func removeAll(olderThan age: Duration) async throws(ImageError) {
        try await removingAll { try $0.removeAll(olderThan: age) }
    }

    /// Removes everything from the manager's caches. Throws `cacheFailed`.
    /// - Parameter tiers: Where from. Default: all.
    public func clearCaches(_ tiers: CacheTiers = .all) async throws(ImageError) {
        try await removingAll(tiers) { try $0.clear(tiers) }
    }

    /// A snapshot of the requests to the manager's caches and of their contents, as one sum.
    ///
    /// These are the cache of its context, or its own, and that of originals where it is another one. Those that only
    /// requests are given are not among them. Returns at once.
    public var cacheStatistics: CacheStatistics {
        caches.reduce(into: CacheStatistics()) { $0 += $1.statistics }
    }

    /// The caches of requests that are given none.
    private var caches: [any ImageCache] {
        let context = ResolvedContext(layers: [(.builtIn, [.imageCache(ownCache)]), (.manager, context)])
        let caches = [context[.imageCache], context[.originalImageCache]].compactMap(\.self)
        return caches.count == 2 && caches[0] === caches[1] ? [caches[0]] : caches
    }

    /// Removes tiers of the manager's caches, what is being stored included.
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

    /// Runs `body` on a lane, unless it uses memory alone, which answers at once without waiting for a disk.
    private func run<Result: Sendable>(
        on lane: Lane, _ tiers: CacheTiers, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        guard tiers.contains(.disk) else { return try body() }
        return try await lane.run(body)
    }

    /// Removes caches. One that fails does not keep the other from being removed.
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

    func resolved(of request: ImageRequest) async throws(ImageError) -> ResolvedRequest {
        let layers = layers(for: request)
        if let known = resolver.remembered(request, in: layers.id) { return known }
        do {
            return try await resolver.resolve(
                request, layers, for: SilentWaiter(priority: .normal), isObserved: false)
        } catch {
            throw ImageError.wrapping(
                error, as: .processorFailed, stage: .resolve, message: "the request could not be resolved"
            ).about(request.subject)
        }
    }

    /// Runs `body` with a cache.
    private func caching<Result>(
        _ cache: any ImageCache, _ body: () async throws -> Result
    ) async throws(ImageError) -> Result {
        do {
            return try await body()
        } catch {
            throw ImageError.wrapping(
                error, as: .cacheFailed, stage: .store, component: typeName(of: cache),
                message: "the cache could not be used")
        }
    }
}
