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
        return try await caching(resolution) { cache in try cache.contains(resolution.variant, in: tiers) } ?? []
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
        let pipeline = pipeline
        try await caching(resolution) { cache in
            if tiers.contains(.memory) { cache.store(image, for: resolution.variant) }
            guard tiers.contains(.disk) else { return }
            let entry = try pipeline.entry(of: image, data: data, resolution)
            try cache.store(entry, for: resolution.variant)
        }
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
        try await caching(resolution) { cache in
            guard allVariants else { return try cache.remove(resolution.variant, from: tiers) }
            try cache.removeAll(of: resolution.variant.source, from: tiers)
        }
        guard allVariants, let original = resolution.originalCache, original !== resolution.cache else { return }
        try await caching(resolution, in: original) { cache in
            try cache.removeAll(of: resolution.variant.source, from: tiers)
        }
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

    /// What `body` does with the request's cache, on the lane for writing; nil when there is no cache.
    @discardableResult
    private func caching<Result: Sendable>(
        _ resolution: Resolution, in other: (any ImageCache)? = nil,
        _ body: @escaping @Sendable (any ImageCache) throws -> Result
    ) async throws(ImageError) -> Result? {
        guard let cache = other ?? resolution.cache else { return nil }
        do {
            return try await pipeline.lanes.writing.run { try body(cache) }
        } catch {
            throw ImageError.wrapping(
                error, as: .cacheFailed, stage: .store, component: describeType(of: cache), message: "the cache failed")
        }
    }
}
