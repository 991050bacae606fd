extension ImageManager {
    /// Returns an explanation of a request's behavior: each context value in force with the layer that set it, the keys
    /// of the image in caches, the cached copies, and the components that would be asked.
    ///
    /// The method loads and stores nothing but the images that transformers need (``ComposingTransformer``), whose
    /// contents are part of the key. Its lookups in caches do not count as uses, unless a cache counts all
    /// lookups. If the image or its original is being stored, the method waits for the store. The method cannot tell
    /// whether the picture would be refused because of its size, since only the file itself states the size.
    ///
    /// Throws the errors of ``cacheKey(for:)``.
    public func explain(_ source: some ImageRequestConvertible) async throws(ImageError) -> Explanation {
        let resolved = try await resolved(of: source.imageRequest)
        let (context, variant) = (resolved.context, resolved.variant)
        let coders = pipeline.coders.decodingCoders(for: context).admitted
        let loadRequest = LoadRequest(url: resolved.url, context: context)
        let harmless = context[.harmlessParameters]
        let fusion = Fusion(context)
        let loaders = context[.imageLoader] == nil ? registry.loaders.elements : []
        var (image, original): (Explanation.Copy?, Explanation.Copy?)
        if let cache = resolved.cache { image = await copy(of: variant, in: cache) }
        if !variant.isOriginal, let cache = resolved.cacheOfOriginal {
            original = await copy(of: variant.original, in: cache)
        }
        return Explanation(
            time: pipeline.time.wallTime(), url: resolved.shownURL, values: Self.values(of: resolved),
            source: variant.source, variant: variant,
            transferDigest: HMAC.ofProcess.hex(
                of: "\(resolved.transfer.url)\n\(resolved.transfer.policy)", byteCount: 8),
            image: image, original: original, larger: larger(resolved),
            freshness: (variant.isOriginal ? image : original)?.entry.flatMap { freshness(of: $0, resolved) },
            failure: pipeline.failure(of: resolved), loader: (try? pipeline.loader(for: loadRequest))?.name,
            passedLoaders: loaders.prefix { !$0.canLoad(loadRequest) }.map(\.name),
            retries: context[.retryPolicy].text,
            alternatives: context[.alternatives].map { $0.redacted(showing: harmless) },
            coders: coders.map { ($0.name, $0.formats.map(\.name)) },
            transformers: resolved.transformers.map(\.shownKey), decodedTransformers: fusion.decoded.map(\.key),
            joinedTransformers: fusion.rest.filter { step in
                !resolved.transformers.contains { $0.key.isSame(as: step.key) }
            }.map(\.shownKey))
    }

    private static func values(of resolved: ResolvedRequest) -> [Explanation.Value] {
        let values = resolved.context.entries.map { entry in
            let before =
                resolved.mergedContext.entry(of: entry.setting.declaration)?.setting.identityText.exact
                ?? entry.setting.declaration.defaultIdentityText
            return Explanation.Value(
                key: entry.setting.declaration, text: entry.setting.text, layer: entry.layer, hidden: entry.hidden,
                isChangedByProcessor: entry.layer == .processor
                    && !entry.setting.identityText.exact.isSame(as: before))
        }
        // Keys with the same name are sorted by their text, so that the order is always the same.
        return values.sorted { ($0.key.name, $0.text) < ($1.key.name, $1.text) }
    }

    /// Returns the part of an explanation that describes the copy that a cache has under a key.
    private func copy(of key: VariantKey, in cache: any ImageCache) async -> Explanation.Copy {
        var tiers: CacheTiers = []
        var picture: Explanation.Copy.Picture?
        // `contains` comes first, so that a cache whose lookups count as uses does not count a miss.
        if (try? cache.contains(key, in: .memory)) == .memory, let image = cache.peek(at: key) {
            tiers.insert(.memory)
            picture = Explanation.Copy.Picture(
                size: image.size, byteCount: image.byteCount, remainingTime: cache.remainingTime(for: key))
        }
        await pipeline.pendingStores.wait(for: StoreKey(key, in: cache))
        var entry: CacheEntry.Facts?
        var failure: ImageError?
        do {
            let found = try await pipeline.lanes.reading.run { () throws -> (isThere: Bool, facts: CacheEntry.Facts?) in
                guard try cache.contains(key, in: .disk) == .disk else { return (false, nil) }
                return (true, cache.facts(of: key))
            }
            if found.isThere { tiers.insert(.disk) }
            entry = found.facts
        } catch {
            failure = .thrown(by: cache, error, stage: .query)
        }
        return Explanation.Copy(
            key: key, cache: typeName(of: cache), tiers: tiers, picture: picture, entry: entry, failure: failure)
    }

    private func larger(_ resolved: ResolvedRequest) -> VariantKey? {
        guard resolved.queriesMemory, let cache = resolved.cache else { return nil }
        return pipeline.larger(resolved, in: cache)
    }

    /// Returns a text about the freshness of an original; nil if the server has sent no rules for caching.
    private func freshness(of original: CacheEntry.Facts, _ resolved: ResolvedRequest) -> String? {
        let head = LoadHead(CacheEntry(data: Data(), attributes: original.attributes))
        guard let record = head.caching else { return nil }
        guard record.matches({ pipeline.requestField($0, of: resolved) }) else {
            return "for other request headers than now; its server must be asked"
        }
        let now = pipeline.time.wallTime()
        switch record.state(at: now) {
        case .fresh:
            return "fresh for \(Explanation.span(record.freshnessLifetime - record.age(at: now))) more"
        case .stale(let whileRevalidating, let ifError):
            var text = "stale; its server must be asked"
            if whileRevalidating > 0 { text += "; used meanwhile for \(Explanation.span(whileRevalidating)) more" }
            if ifError > 0 { text += "; may be used for \(Explanation.span(ifError)) more if that fails" }
            return text
        }
    }
}
