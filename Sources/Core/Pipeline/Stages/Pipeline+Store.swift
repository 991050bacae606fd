extension Pipeline {
    /// Stores the image of a request in memory at once, and bytes in the background. Does not store a partial picture,
    /// because the next request may get the complete one.
    ///
    /// Waits until the bytes are stored only if the request sets `waitStoreCache`, or if too many bytes are already
    /// waiting to be written.
    /// - Returns: The steps of the stores that the request waited for.
    func store(_ output: PipelineOutput, _ work: RequestWork) async throws -> [ImageMetrics.Step] {
        let context = work.request.context
        // The stores already in progress decide whether this request waits, including that of its original. The store
        // that it is about to begin does not.
        let isBehind = pendingStores.isFull
        guard !output.decoded.attributes.isPartial, !output.image.attributes.isPartial else { return [] }
        let stores = keep(output, work)
        guard context[.waitStoreCache] || isBehind else { return [] }
        var steps: [ImageMetrics.Step] = []
        // The failures have been reported as events.
        for store in stores { steps += (try? await store.value) ?? [] }
        try Task.checkCancellation()
        return steps
    }

    /// Stores the image in memory, and begins to store bytes. Does nothing if the results are outdated.
    private func keep(_ output: PipelineOutput, _ work: RequestWork) -> [StoreTask] {
        let (request, replacement) = (work.request, output.original?.replacement)
        guard isCurrent(replacement, until: output.expiration, work) else { return [] }
        let tiers = request.context[.storeCacheType]
        let isBlind = !request.context[.queryCacheType].isSuperset(of: tiers)
        return keeping(request.variant, in: request.cache, tiers, of: replacement, isBlind: isBlind) {
            if let cache = request.cache, tiers.contains(.memory), !hasExpired(output.expiration) {
                let lifetime = lifetime(within: output.expiration, request)
                cache.store(output.image, for: request.variant, timeToLive: lifetime)
                // A removal that began and ended since the check above did not find this image.
                guard isCurrent(replacement, until: nil, work) else {
                    try? cache.remove(request.variant, from: .memory)
                    return []
                }
            }
            return [originalStore(output, request), storeVariant(output, work)].compactMap(\.self)
        }
    }

    /// Runs `body`, which stores an original or an image. The replacement, if there is one, records the store.
    /// - Parameter replacement: The replacement of the load; nil for data from a cache.
    private func keeping<Kept>(
        _ key: VariantKey, in cache: (any ImageCache)?, _ tiers: CacheTiers, of replacement: Replacement?,
        isBlind: Bool = false, _ body: () -> Kept
    ) -> Kept {
        guard let cache, let replacement, !tiers.isEmpty else { return body() }
        return replacement.keep(at: StoreKey(key, in: cache), in: tiers, isBlind: isBlind, body)
    }

    /// Returns whether data is at least as new as the contents of the caches, so that it may be stored.
    /// - Parameters:
    ///   - replacement: The replacement of the load; nil for data from a cache.
    ///   - expiration: The expiration of data from a cache, in seconds since 1970; nil for never.
    private func isCurrent(_ replacement: Replacement?, until expiration: Double?, _ work: RequestWork) -> Bool {
        if let replacement { return replacement.isLatest }
        return !hasExpired(expiration) && !changes.haveTouched(work.request.variant.source, since: work.changeCount)
    }

    /// Begins to store the original of an output: the received bytes on disk, and the decoded image in memory. Does
    /// nothing if only a part of the original has been decoded.
    func storeOriginal(of output: PipelineOutput, _ work: RequestWork) {
        let (request, decoded) = (work.request, output.decoded)
        guard let original = output.original else { return }
        var tiers = request.storeTiersOfOriginal
        if hasExpired(expiration(of: original, request)) { tiers.remove(.memory) }
        keepingOriginal(original, in: tiers, work) { cache, tiers in
            if tiers.contains(.memory) {
                let lifetime = lifetime(within: expiration(of: original, request), request)
                cache.store(decoded, for: request.variant.original, timeToLive: lifetime)
                guard isCurrent(original.replacement, until: nil, work) else {
                    try? cache.remove(request.variant.original, from: .memory)
                    return nil
                }
            }
            return beginStore(of: original, image: request.variant.isOriginal ? decoded : nil, in: cache, tiers, work)
        }
    }

    /// Begins to store the bytes of an original that is not decoded.
    func storeUndecoded(_ original: Original, _ work: RequestWork) -> StoreTask? {
        let tiers = work.request.storeTiersOfOriginal.subtracting(.memory)
        return keepingOriginal(original, in: tiers, work) { cache, tiers in
            beginStore(of: original, image: nil, in: cache, tiers, work)
        }
    }

    /// Calls `body` with the members of `tiers` that may store the original. Returns nil if it must not be stored.
    @discardableResult private func keepingOriginal(
        _ original: Original, in tiers: CacheTiers, _ work: RequestWork,
        _ body: (any ImageCache, CacheTiers) -> StoreTask?
    ) -> StoreTask? {
        let request = work.request
        guard let cache = request.cacheOfOriginal, original.source != .memory,
            isCurrent(original.replacement, until: expiration(of: original, request), work)
        else { return nil }
        var tiers = tiers
        let isCopied = original.bytes != nil && original.head?.isAtHand != true
        if original.source != .loader || !isCopied || !isStorable(original, request) { tiers.remove(.disk) }
        let queried = request.context[request.variant.isOriginal ? .queryCacheType : .originalQueryCacheType]
        let isBlind = tiers.contains(.disk) && !queried.contains(.disk)
        return keeping(request.variant.original, in: cache, tiers, of: original.replacement, isBlind: isBlind) {
            body(cache, tiers)
        }
    }

    /// Begins to write the bytes of an original, once for all requests that share it.
    /// - Parameter image: The image of the original, for the serializer.
    private func beginStore(
        of original: Original, image: Image?, in cache: any ImageCache, _ tiers: CacheTiers, _ work: RequestWork
    ) -> StoreTask? {
        guard tiers.contains(.disk), let bytes = original.bytes else { return nil }
        let variant = work.request.variant.original
        return original.stores.store(StoreKey(variant, in: cache)) {
            let write = Write(
                cache: cache, key: variant, image: image, bytes: bytes, head: original.head, expiration: nil,
                replacement: original.replacement)
            return begin(write, byteCount: bytes.byteCount, work)
        }
    }

    /// Returns the task that ``storeOriginal(of:_:)`` has begun for the disk tier; nil if there is none.
    private func originalStore(_ output: PipelineOutput, _ request: ResolvedRequest) -> StoreTask? {
        guard request.storeTiersOfOriginal.contains(.disk), let cache = request.cacheOfOriginal else { return nil }
        return output.original?.stores.begun(StoreKey(request.variant.original, in: cache))
    }

    /// Begins to store the new head of a cached original that its source has confirmed as still valid.
    func refreshEntry(of original: Original, _ work: RequestWork) {
        let request = work.request
        guard let cache = request.cacheOfOriginal, let old = original.entry, let head = original.head else {
            return
        }
        guard isStorable(original, request) else {
            return remove(old.data, of: request.variant.original, from: cache, request)
        }
        var entry = old
        entry.attributes.merge(head.attributes) { _, new in new }
        if let lifetime = request.context[.timeToLive] {
            entry.expiration = time.wallTime() + lifetime.seconds
        }
        guard entry != old, !hasExpired(entry.expiration) else { return }
        let retold = head.validators == LoadHead(old).validators ? nil : original.withoutReservation
        _ = pendingStores.begin(
            StoreKey(request.variant.original, in: cache), byteCount: entry.data.count,
            priority: request.context[.priority]
        ) { [entry] waiter in
            var entry = entry
            // Images made from these bytes are identified by a version that derives from the former validators.
            if let retold {
                entry.attributes[OriginalVersion.attribute] = await self.version(of: retold, for: waiter.demand)
            }
            // An entry that was removed meanwhile must not be stored again.
            return self.changes.haveTouched(request.variant.source, since: work.changeCount) ? nil : entry
        } writing: { entry, waiter in
            let key = request.variant.original
            return try await self.write(entry, for: key, to: cache, work.awaited(by: waiter)) {
                try self.hasNothing(but: old, for: key, in: cache)
                    && !self.changes.haveTouched(key.source, since: work.changeCount)
            }
        }
    }

    /// Returns whether a cache has nothing newer than `old`, an entry that was read from it before. Blocks.
    ///
    /// If the cache has no entry now, the entry may have been removed on purpose. The result is then true only if `old`
    /// has expired.
    private func hasNothing(but old: CacheEntry, for key: VariantKey, in cache: any ImageCache) throws -> Bool {
        if let facts = cache.facts(of: key) {
            // Without attributes, only the expiration distinguishes the old bytes from later ones.
            let isOld =
                facts.attributes == old.attributes && facts.expiration ?? .infinity <= old.expiration ?? .infinity
            // If the old entry has expired, the facts may describe another copy, in a read-only directory.
            if isOld || !hasExpired(old.expiration) { return isOld }
        }
        guard try cache.contains(key, in: .disk) == .disk, let entry = try cache.entry(for: key) else {
            return hasExpired(old.expiration)
        }
        return entry.data == old.data
    }

    /// Begins to store a variant on disk, unless it was read from a cache. If the stored original has the same picture,
    /// the variant is not stored; an outdated variant may be removed instead.
    private func storeVariant(_ output: PipelineOutput, _ work: RequestWork) -> StoreTask? {
        let request = work.request
        guard !request.variant.isOriginal || output.original?.bytes == nil, output.original != nil,
            output.original.map({ isStorable($0, request) }) != false, !hasExpired(output.expiration),
            let cache = request.cache,
            request.context[.storeCacheType].intersection(cache.tiers).contains(.disk)
        else { return nil }
        let place = StoreKey(request.variant, in: cache)
        guard !isOriginalAgain(output, request) else {
            // A stored variant of an older original would be found instead, since this request did not query the cache.
            guard output.source == .loader, request.context[.fromLoaderOnly] else { return nil }
            return output.stores.store(place) {
                beginRemoval(of: request.variant, from: cache, for: output.original?.replacement, work)
            }
        }
        return output.stores.store(place) {
            let write = Write(
                cache: cache, key: request.variant, image: output.image, bytes: nil, head: nil,
                expiration: output.expiration, replacement: output.original?.replacement)
            // The further frames of an animation are not counted: they are decoded one after another.
            return begin(write, byteCount: output.image.pixels.byteCount, work)
        }
    }

    /// Begins to remove a variant of an older original. Keeps the variant if a later load has replaced the cached
    /// entries before the removal runs.
    private func beginRemoval(
        of variant: VariantKey, from cache: any ImageCache, for replacement: Replacement?, _ work: RequestWork
    ) -> StoreTask {
        pendingStores.beginRemoval(StoreKey(variant, in: cache)) { waiter in
            try await self.telling(of: cache, work.request) {
                try await self.lanes.writing.run(for: waiter.demand, job: Job()) { _ in
                    guard self.isCurrent(replacement, until: nil, work) else { return }
                    try cache.remove(variant, from: .disk)
                }
            }
        }
    }

    /// Returns whether the request stores the original on disk, and the original has the same picture as the variant.
    private func isOriginalAgain(_ output: PipelineOutput, _ request: ResolvedRequest) -> Bool {
        output.original?.bytes != nil && request.mayBeOriginalAgain
            && (request.transformers.isEmpty || output.image.isAnimated)
            && output.image.size == output.image.attributes.originalSize
            && request.tiersOfOriginal.contains(.disk)
    }

    /// Begins to make an entry and to write it, in the background.
    private func begin(_ write: Write, byteCount: Int, _ work: RequestWork) -> StoreTask {
        // Captured separately, so that the picture is released as soon as it is encoded.
        let (cache, key) = (write.cache, write.key)
        let place = StoreKey(key, in: cache)
        return pendingStores.begin(place, byteCount: byteCount, priority: work.request.context[.priority]) { waiter in
            let entry = try await self.telling(of: cache, work.request) {
                try await self.serialized(write, work.awaited(by: waiter))
            }
            // A removal that begins from now on waits for this store. An earlier removal did not know of it, so the
            // entry must not be stored after it.
            let isCurrent = self.isCurrent(write.replacement, until: nil, work)
            return isCurrent ? entry : nil
        } writing: { entry, waiter in
            try await self.write(entry, for: key, to: cache, work.awaited(by: waiter))
        }
    }

    /// Stores an entry if `isWanted` returns true. `isWanted` is called on the same thread immediately before.
    private func write(
        _ entry: CacheEntry, for key: VariantKey, to cache: any ImageCache, _ work: RequestWork,
        where isWanted: @escaping @Sendable () throws -> Bool = { true }
    ) async throws -> [ImageMetrics.Step] {
        try await telling(of: cache, work.request) {
            let step = try await lanes.writing.run(for: work.demand, job: Job()) { _ -> ImageMetrics.Step? in
                guard try isWanted() else { return nil }
                let span = self.begin(.store, of: work.request, component: typeName(of: cache))
                do {
                    try cache.store(entry, for: key)
                } catch {
                    span.fail(error)
                    throw error
                }
                return span.end(byteCount: entry.data.count)
            }
            return [step].compactMap(\.self)
        }
    }
}
