extension Pipeline {
    /// The original: from memory, from the disk tier, or loaded.
    /// - Parameter immediate: What the disk tier has said just now; nil where it was not asked.
    func original(
        _ key: OriginalKey, _ resolved: ResolvedRequest, waiter: any Waiter,
        after immediate: ImmediateAnswer<Original>? = nil,
        onReport: (@Sendable (WorkReport) -> Void)? = nil
    ) async throws -> Original {
        try await originals.value(
            for: key, waiter: waiter, onReport: onReport, onJoin: joining(.load, resolved, waiter)
        ) { waiter in
            let kept = try await self.kept(key, resolved, waiter: waiter, after: immediate)
            if let kept, key.access != .refresh {
                guard key.isLoadingAllowed, let staleness = self.staleness(of: kept, resolved) else {
                    return kept
                }
                return try await self.revalidated(kept, staleness, key, resolved, waiter: waiter)
            }
            guard key.isLoadingAllowed else {
                throw ImageError(
                    .notCached, stage: .query, message: "is in no cache, and loading is not allowed",
                    advice: "turn off `fromCacheOnly` to load it")
            }
            return try await self.transferred(key, unlessHolds: kept, resolved, waiter: waiter)
        }
    }

    /// The original as the disk tier has it, without waiting, on a thread of the pool; nil where that was not asked,
    /// since something else is to be asked before, or somebody asks for the original already. Shared with nobody, as
    /// its reading is not.
    func immediatelyKept(
        _ key: OriginalKey, _ resolved: ResolvedRequest, waiter: any Waiter
    ) -> ImmediateAnswer<Original>? {
        guard key.cache != nil, key.access != .refresh, key.tiers == .disk,
            let cache = resolved.cacheOfOriginal, cache.tiers.contains(.disk), !originals.contain(key)
        else { return nil }
        return immediateRead(key.key, from: cache, resolved, waiter: waiter)?.map { Original($0) }
    }

    /// Whether what a cache has may be used without a word of its source.
    func isUsable(_ kept: Original, by key: OriginalKey, _ resolved: ResolvedRequest) -> Bool {
        !key.isLoadingAllowed || staleness(of: kept, resolved) == nil
    }

    /// The original as the caches have it that may be asked; nil where they do not.
    /// - Parameter immediate: What the disk tier has said just now; nil where it was not asked.
    private func kept(
        _ key: OriginalKey, _ resolved: ResolvedRequest, waiter: any Waiter, after immediate: ImmediateAnswer<Original>?
    ) async throws -> Original? {
        switch immediate {
        case .found(let original): return original
        case .absent: return nil
        case .unknown, nil: break
        }
        guard key.cache != nil, let cache = resolved.cacheOfOriginal else { return nil }
        // Of what memory has nobody knows how it can be asked for.
        if key.access != .refresh, key.tiers.contains(.memory),
            let original = remembered(key.key, in: cache, resolved)
        {
            return original
        }
        guard key.tiers.intersection(cache.tiers).contains(.disk),
            let read = try await read(
                key.key, from: cache, resolved, waiter: waiter, wasAsked: immediate != nil)
        else { return nil }
        return Original(read)
    }

    /// The original as memory has it, and until when.
    private func remembered(_ key: VariantKey, in cache: any ImageCache, _ resolved: ResolvedRequest) -> Original? {
        // Asked first: an image that goes in between is no image, rather than one without an end.
        let expiration = cache.remainingTime(for: key).map { time.wallTime() + $0.seconds }
        guard let image = cache.image(for: key), mayAnswer(resolved, chosenBy: image.storage.attributes.vary) else {
            return nil
        }
        // What a cache had was storable; but memory keeps data URIs too, which disks are spared.
        return Original(
            .image(image), source: .memory, expiration: expiration, isStorable: !resolved.url.isDataURI)
    }

    /// Returns what a loader brings, or the cached original if it is still valid, once for all concurrent requests.
    func transferred(
        _ key: OriginalKey, unlessHolds kept: Original?, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> Original {
        // Otherwise requests that have one could wait for each other's loads.
        kept?.release()
        let transfer = TransferKey(transfer: key.transfer, validators: validators(of: kept, resolved))
        let effect: Replacement.Effect =
            if kept != nil || key.access == .refresh {
                .removes
            } else {
                key.tiers.isEmpty && resolved.cacheOfOriginal != nil ? .overwrites : .none
            }
        let original = try await transfers.value(
            for: transfer, waiter: waiter, startsHere: false, onJoin: joining(.load, resolved, waiter)
        ) { waiter in
            if let original = self.originalsInUse.original(by: key.transfer), original.bytes?.failure == nil,
                original.source == .loader || key.cache != nil
            {
                return original
            }
            let replacement = Replacement(of: key.key, among: self.changes, effect)
            let loaded = try await self.load(
                resolved, unlessHolds: kept, by: transfer.validators, waiter: waiter)
            var original = kept?.confirmed(by: loaded) ?? loaded
            if original.source == .revalidated {
                self.refreshEntry(of: original, resolved, after: key.changeCount)
            } else {
                original = original.brought(by: replacement)
            }
            self.originalsInUse.note(original, by: key.transfer)
            return original
        }
        original.replacement?.join(effect)
        return original
    }
}
