extension Pipeline {
    /// Keeps what a request has made: the image in memory at once, bytes in the background unless the request waits.
    ///
    /// Nothing is kept of a picture part of which is missing: the next request may get all of it.
    /// - Parameter changeCount: How many changes of the source had ended before the request looked for it.
    /// - Returns: The steps that were waited for.
    func store(
        _ output: PipelineOutput, _ resolved: ResolvedRequest, after changeCount: Int
    ) async throws -> [ImageMetrics.Step] {
        let context = resolved.context
        // What is being stored already makes this request wait, its original too; not what it is about to store.
        let isBehind = pendingStores.isFull
        guard !output.decoded.attributes.isPartial, !output.image.attributes.isPartial else { return [] }
        let stores = keep(output, resolved, after: changeCount)
        guard context[.waitStoreCache] || isBehind else { return [] }
        var steps: [ImageMetrics.Step] = []
        // Failures have been reported by events.
        for store in stores { steps += (try? await store.value) ?? [] }
        try Task.checkCancellation()
        return steps
    }

    /// Keeps the image in memory, and begins to keep bytes, where they are no older than what is there.
    private func keep(_ output: PipelineOutput, _ resolved: ResolvedRequest, after changeCount: Int) -> [StoreTask] {
        let replacement = output.original?.replacement
        guard isCurrent(replacement, until: output.expiration, resolved, after: changeCount) else { return [] }
        let tiers = resolved.context[.storeCacheType]
        let isBlind = !resolved.context[.queryCacheType].isSuperset(of: tiers)
        return keeping(resolved.variant, in: resolved.cache, tiers, of: replacement, isBlind: isBlind) {
            if let cache = resolved.cache, tiers.contains(.memory), !hasExpired(output.expiration) {
                let lifetime = lifetime(within: output.expiration, resolved)
                cache.store(output.image, for: resolved.variant, timeToLive: lifetime)
                // A removal that came and went since the look before has found nothing to remove.
                guard isCurrent(replacement, until: nil, resolved, after: changeCount) else {
                    try? cache.remove(resolved.variant, from: .memory)
                    return []
                }
            }
            let stores = [
                output.original.flatMap {
                    storeOriginal($0, decoded: output.decoded, resolved, after: changeCount)
                },
                storeVariant(output, resolved, after: changeCount),
            ]
            return stores.compactMap(\.self)
        }
    }

    /// Runs `body`, which stores something that was loaded, or made of what was loaded; nil for what a cache had.
    private func keeping<Kept>(
        _ key: VariantKey, in cache: (any ImageCache)?, _ tiers: CacheTiers, of replacement: Replacement?,
        isBlind: Bool = false, _ body: () -> Kept
    ) -> Kept {
        guard let cache, let replacement, !tiers.isEmpty else { return body() }
        return replacement.keep(at: StoreKey(key, in: cache), in: tiers, isBlind: isBlind, body)
    }

    /// Whether what was found, or made of what was found, is no older than what is there by now: what a cache had is
    /// when its time is over, and when somebody has changed the cache since; what was loaded is when another load has
    /// replaced what the caches had.
    /// - Parameters:
    ///   - replacement: What was loaded with it; nil for what a cache had.
    ///   - expiration: When that expires, in seconds since 1970; nil for never.
    ///   - changeCount: How many changes of the source had ended before anybody looked for it.
    private func isCurrent(
        _ replacement: Replacement?, until expiration: Double?, _ resolved: ResolvedRequest, after changeCount: Int
    ) -> Bool {
        if let replacement { return replacement.isLatest }
        return !hasExpired(expiration) && !changes.haveTouched(resolved.variant.source, since: changeCount)
    }

    /// Returns the time to live of what is stored now, which is that of the request, and no longer than that of what it
    /// was made of.
    /// - Parameter expiration: When that expires, in seconds since 1970; nil for never.
    func lifetime(within expiration: Double?, _ resolved: ResolvedRequest) -> Duration? {
        let own = resolved.context[.timeToLive]
        // Longer than any process runs, and than a `Duration` can be.
        guard let rest = expiration.map({ $0 - time.wallTime() }), rest < 1e12 else { return own }
        let bound = Duration.seconds(max(rest, 0))
        return own.map { min($0, bound) } ?? bound
    }

    /// Begins to keep an original where it did not come from: its bytes as received when it was loaded, and in memory
    /// the image that a plain request would be given, when it decoded to that. Called when it has decoded, be it in
    /// part, which keeps it from being kept; what becomes of the request after that does not matter to it.
    ///
    /// - Parameters:
    ///   - decoded: The image that it decoded to, as the request asked for it.
    ///   - changeCount: How many changes of its source had ended before anybody looked for it.
    @discardableResult
    func storeOriginal(
        _ original: Original, decoded: Image, _ resolved: ResolvedRequest, after changeCount: Int
    ) -> StoreTask? {
        let isPlain = resolved.variant.isOriginal
        let expiration = expiration(of: original, resolved)
        guard let cache = resolved.cacheOfOriginal, original.source != .memory, !decoded.attributes.isPartial,
            isCurrent(original.replacement, until: expiration, resolved, after: changeCount)
        else { return nil }
        let variant = resolved.variant.original
        var tiers = resolved.tiersOfOriginal
        if isPlain || !resolved.decoding.isEmpty || hasExpired(expiration) { tiers.remove(.memory) }
        let isCopied = original.bytes != nil && original.head?.isAtHand != true
        if original.source != .loader || !isCopied || !isStorable(original, resolved) {
            tiers.remove(.disk)
        }
        let queried = resolved.context[isPlain ? .queryCacheType : .originalQueryCacheType]
        let isBlind = tiers.contains(.disk) && !queried.contains(.disk)
        return keeping(variant, in: cache, tiers, of: original.replacement, isBlind: isBlind) {
            if tiers.contains(.memory) {
                cache.store(decoded, for: variant, timeToLive: lifetime(within: expiration, resolved))
                guard isCurrent(original.replacement, until: nil, resolved, after: changeCount) else {
                    try? cache.remove(variant, from: .memory)
                    return nil
                }
            }
            guard tiers.contains(.disk), let bytes = original.bytes else { return nil }
            return original.stores.store(StoreKey(variant, in: cache)) {
                let write = Write(
                    cache: cache, key: variant, image: isPlain ? decoded : nil, bytes: bytes, head: original.head,
                    expiration: nil, replacement: original.replacement, changeCount: changeCount)
                return begin(write, byteCount: bytes.byteCount, resolved)
            }
        }
    }

    /// Begins to keep what the source has said of an original when it confirmed the copy that a cache has.
    func refreshEntry(of original: Original, _ resolved: ResolvedRequest, after changeCount: Int) {
        guard let cache = resolved.cacheOfOriginal, let old = original.entry, let head = original.head else {
            return
        }
        guard isStorable(original, resolved) else {
            return remove(old.data, of: resolved.variant.original, from: cache, resolved)
        }
        var entry = old
        entry.attributes.merge(head.attributes) { _, new in new }
        if let lifetime = resolved.context[.timeToLive] {
            entry.expiration = time.wallTime() + lifetime.seconds
        }
        guard entry != old, !hasExpired(entry.expiration) else { return }
        let retold = head.validators == LoadHead(old).validators ? nil : original.withoutPlace
        _ = pendingStores.begin(
            StoreKey(resolved.variant.original, in: cache), byteCount: entry.data.count,
            priority: resolved.context[.priority]
        ) { [entry] waiter in
            var entry = entry
            // What was made of the bytes is known by what the source has said of them before.
            if let retold {
                entry.attributes[OriginalVersion.attribute] = await self.version(of: retold, waiter: waiter)
            }
            // Nobody is to find again what somebody has removed meanwhile.
            return self.changes.haveTouched(resolved.variant.source, since: changeCount) ? nil : entry
        } writing: { entry, waiter in
            let key = resolved.variant.original
            return try await self.write(entry, for: key, to: cache, resolved, waiter: waiter) {
                try self.hasNothing(but: old, for: key, in: cache)
                    && !self.changes.haveTouched(key.source, since: changeCount)
            }
        }
    }

    /// Whether a cache has the entry for a key still that was read from it before, or nothing any more since its time
    /// was over; found out without a use of it where the cache can tell facts. Blocks.
    private func hasNothing(but old: CacheEntry, for key: VariantKey, in cache: any ImageCache) throws -> Bool {
        if let facts = cache.facts(of: key) {
            // Of bytes without a word beside them the time is what tells them from those that came later.
            let isOld =
                facts.attributes == old.attributes && facts.expiration ?? .infinity <= old.expiration ?? .infinity
            // Where its time is over they may be those of another copy, in a folder that is only read.
            if isOld || !hasExpired(old.expiration) { return isOld }
        }
        guard try cache.contains(key, in: .disk) == .disk, let entry = try cache.entry(for: key) else {
            return hasExpired(old.expiration)
        }
        return entry.data == old.data
    }

    /// Begins to keep a variant, unless it came from where it would go.
    private func storeVariant(
        _ output: PipelineOutput, _ resolved: ResolvedRequest, after changeCount: Int
    ) -> StoreTask? {
        guard !resolved.variant.isOriginal || output.original?.bytes == nil, output.original != nil,
            output.original.map({ isStorable($0, resolved) }) != false, !hasExpired(output.expiration),
            let cache = resolved.cache,
            resolved.context[.storeCacheType].intersection(cache.tiers).contains(.disk)
        else { return nil }
        let place = StoreKey(resolved.variant, in: cache)
        guard !isOriginalAgain(output, resolved) else {
            // One of an older original would answer in its place, where nobody has looked for it.
            guard output.source == .loader, resolved.context[.fromLoaderOnly] else { return nil }
            return output.stores.store(place) {
                beginRemoval(
                    of: resolved.variant, from: cache, for: output.original?.replacement, resolved,
                    after: changeCount)
            }
        }
        return output.stores.store(place) {
            let write = Write(
                cache: cache, key: resolved.variant, image: output.image, bytes: nil, head: nil,
                expiration: output.expiration, replacement: output.original?.replacement,
                changeCount: changeCount)
            // Not what an animation may come to hold: its frames are made one after another.
            return begin(write, byteCount: output.image.pixels.byteCount, resolved)
        }
    }

    /// Begins to remove a variant that is older than what was loaded, unless something newer is there by then.
    private func beginRemoval(
        of variant: VariantKey, from cache: any ImageCache, for replacement: Replacement?, _ resolved: ResolvedRequest,
        after changeCount: Int
    ) -> StoreTask {
        pendingStores.beginRemoval(StoreKey(variant, in: cache)) { waiter in
            try await self.telling(of: cache, resolved) {
                try await self.lanes.writing.run(for: waiter, job: Job()) { _ in
                    guard self.isCurrent(replacement, until: nil, resolved, after: changeCount) else { return }
                    try cache.remove(variant, from: .disk)
                }
            }
        }
    }

    /// Whether a variant turned out to be what the original is, which is kept beside it: a file of its own could only
    /// be worse.
    private func isOriginalAgain(_ output: PipelineOutput, _ resolved: ResolvedRequest) -> Bool {
        output.original?.bytes != nil && resolved.mayBeOriginalAgain
            && output.image.size == output.image.attributes.originalSize
            && resolved.tiersOfOriginal.contains(.disk)
    }

    /// Serialises and writes in the background.
    private func begin(_ write: Write, byteCount: Int, _ resolved: ResolvedRequest) -> StoreTask {
        // Apart from the rest of what is to be written: the picture goes as soon as it is encoded.
        let (cache, key) = (write.cache, write.key)
        let place = StoreKey(key, in: cache)
        return pendingStores.begin(place, byteCount: byteCount, priority: resolved.context[.priority]) { waiter in
            let entry = try await self.telling(of: cache, resolved) {
                try await self.serialized(write, resolved, waiter: waiter)
            }
            // A removal that begins from now on waits for this store; one before did not know of it. Nobody is to find
            // here what that has removed.
            let isCurrent = self.isCurrent(write.replacement, until: nil, resolved, after: write.changeCount)
            return isCurrent ? entry : nil
        } writing: { entry, waiter in
            try await self.write(entry, for: key, to: cache, resolved, waiter: waiter)
        }
    }

    /// Stores an entry, unless `isWanted` says otherwise right before, on the same thread.
    private func write(
        _ entry: CacheEntry, for key: VariantKey, to cache: any ImageCache, _ resolved: ResolvedRequest,
        waiter: any Waiter, where isWanted: @escaping @Sendable () throws -> Bool = { true }
    ) async throws -> [ImageMetrics.Step] {
        try await telling(of: cache, resolved) {
            let step = try await lanes.writing.run(for: waiter, job: Job()) { _ -> ImageMetrics.Step? in
                guard try isWanted() else { return nil }
                let span = self.begin(.store, of: resolved, component: typeName(of: cache))
                do {
                    try cache.store(entry, for: key)
                } catch {
                    span.stop(error)
                    throw error
                }
                return span.end(byteCount: entry.data.count)
            }
            return [step].compactMap(\.self)
        }
    }

    /// Runs `body`, and reports its failure as an event as well: no request may be waiting for it.
    func telling<Made>(
        of cache: any ImageCache, _ resolved: ResolvedRequest, _ body: () async throws -> Made
    ) async throws -> Made {
        do {
            return try await body()
        } catch {
            note(cacheError(error, stage: .store, cache), of: resolved)
            throw error
        }
    }
}

extension ResolvedRequest {
    /// The tiers in which an original is kept, of those that there are. Where the variant is the original itself, the
    /// values for variants decide.
    fileprivate var tiersOfOriginal: CacheTiers {
        let type = variant.isOriginal ? context[.storeCacheType] : context[.originalStoreCacheType]
        return type.intersection(cacheOfOriginal?.tiers ?? [])
    }

    /// Whether the bytes of a loaded original are needed apart from its decodes: for a response, or for a disk.
    /// - Parameter head: What the loader said before the first byte.
    func wantsWholeOriginal(_ head: LoadHead?) -> Bool {
        variant.isOriginal || tiersOfOriginal.contains(.disk) && head?.isAtHand != true
    }
}
