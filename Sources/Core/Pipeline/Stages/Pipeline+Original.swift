extension Pipeline {
    /// The original: from memory, from the disk tier, or loaded.
    /// - Parameter immediate: What the disk tier has said just now; nil if it was not asked.
    func original(
        _ key: OriginalKey, _ work: RequestWork,
        after immediate: ImmediateAnswer<Original>? = nil,
        onReport: (@Sendable (WorkReport) -> Void)? = nil
    ) async throws -> Original {
        try await originals.value(
            for: key, work.begun(after: key.changeCount), onReport: onReport, onJoin: joining(.load, work)
        ) { work in
            let kept = try await self.kept(key, work, after: immediate)
            if let kept, key.access != .refresh {
                guard key.isLoadingAllowed, let staleness = self.staleness(of: kept, work.request) else {
                    return kept
                }
                return try await self.revalidated(kept, staleness, key, work)
            }
            guard key.isLoadingAllowed else {
                throw ImageError(
                    .notCached, stage: .query, message: "is in no cache, and loading is not allowed",
                    advice: "turn off `fromCacheOnly` to load it")
            }
            return try await self.transferred(key, unlessHolds: kept, work)
        }
    }

    /// Returns the original for a request that does not decode it, from the disk tier or loaded.
    ///
    /// The header of loaded bytes is read, and throws what it throws. They are stored if they replace nothing.
    func undecodedOriginal(_ work: RequestWork) async throws -> Original {
        let request = work.request
        let failure = failure(of: request)
        let access: OriginalAccess? = failure != nil ? .cacheOnly : request.isRefreshed ? .refresh : nil
        let key = OriginalKey(request, access: access, after: changes).withoutMemory
        let original: Original
        do {
            original = try await self.original(key, work)
        } catch let error as ImageError where error.code == .notCached {
            throw failure ?? error
        }
        guard original.source == .loader, let bytes = original.bytes else { return original }
        _ = try await lanes.inspecting.run(for: work.demand, job: Job()) { [coders] _ in
            try coders.info(of: bytes, context: request.context)
        }
        // What takes the place of a cached copy does so when it has decoded, and not before.
        if original.replacement?.replacesNothing == true {
            let store = storeUndecoded(original, work)
            if request.context[.waitStoreCache] { _ = try? await store?.value }
        }
        return original
    }

    /// The original as the disk tier has it, without waiting, on a thread of the pool; nil if that was not asked,
    /// since something else is to be asked before, or somebody asks for the original already. Shared with nobody, as
    /// its reading is not.
    func immediatelyKept(
        _ key: OriginalKey, _ work: RequestWork
    ) -> ImmediateAnswer<Original>? {
        guard key.cache != nil, key.access != .refresh, key.tiers == .disk,
            let cache = work.request.cacheOfOriginal, cache.tiers.contains(.disk), !originals.contain(key)
        else { return nil }
        return immediateRead(key.key, from: cache, work)?.map { Original($0) }
    }

    /// Whether what a cache has may be used without a word of its source.
    func isUsable(_ kept: Original, by key: OriginalKey, _ request: ResolvedRequest) -> Bool {
        !key.isLoadingAllowed || staleness(of: kept, request) == nil
    }

    /// The original as the caches have it that may be asked; nil if they do not.
    /// - Parameter immediate: What the disk tier has said just now; nil if it was not asked.
    private func kept(
        _ key: OriginalKey, _ work: RequestWork, after immediate: ImmediateAnswer<Original>?
    ) async throws -> Original? {
        switch immediate {
        case .found(let original): return original
        case .absent: return nil
        case .unknown, nil: break
        }
        guard key.cache != nil, let cache = work.request.cacheOfOriginal else { return nil }
        // Of what memory has nobody knows how it can be asked for.
        if key.access != .refresh, key.tiers.contains(.memory),
            let original = originalInMemory(key.key, in: cache, work.request)
        {
            return original
        }
        guard key.tiers.intersection(cache.tiers).contains(.disk),
            let read = try await read(
                key.key, from: cache, work, wasAsked: immediate != nil)
        else { return nil }
        return Original(read)
    }

    /// The original as memory has it, and until when.
    private func originalInMemory(_ key: VariantKey, in cache: any ImageCache, _ request: ResolvedRequest) -> Original?
    {
        // Asked first: an image that goes in between is no image, rather than one without an end.
        let expiration = cache.remainingTime(for: key).map { time.wallTime() + $0.seconds }
        guard let image = cache.image(for: key), mayAnswer(request, chosenBy: image.storage.attributes.vary) else {
            return nil
        }
        // What a cache had was storable; but memory keeps data URIs too, which disks are spared.
        return Original(
            .image(image), source: .memory, expiration: expiration, isStorable: !request.url.isDataURI)
    }

    /// The original where a cache has one that is stale.
    func revalidated(
        _ kept: Original, _ staleness: HTTPFreshness, _ key: OriginalKey, _ work: RequestWork
    ) async throws -> Original {
        guard case .stale(let whileRevalidating, let ifError) = staleness else { return kept }
        if whileRevalidating > 0 {
            kept.requestRefresh()
            return kept
        }
        do {
            return try await transferred(key, unlessHolds: kept, work)
        } catch let error as ImageError where ifError > 0 && error.isTransient && !Task.isCancelled {
            note(error, of: work.request)
            return kept
        }
    }

    /// Returns what a loader brings, or the cached original if it is still valid, once for all concurrent requests.
    func transferred(
        _ key: OriginalKey, unlessHolds kept: Original?, _ work: RequestWork
    ) async throws -> Original {
        // Otherwise requests that have one could wait for each other's loads.
        kept?.release()
        let transfer = TransferKey(transfer: key.transfer, validators: validators(of: kept, work.request))
        let effect: Replacement.Effect =
            if kept != nil || key.access == .refresh {
                .removes
            } else {
                key.tiers.isEmpty && work.request.cacheOfOriginal != nil ? .overwrites : .none
            }
        let original = try await transfers.value(
            for: transfer, work.begun(after: key.changeCount), startsHere: false, onJoin: joining(.load, work)
        ) { work in
            if let original = self.originalsInUse.original(by: key.transfer), original.bytes?.failure == nil,
                original.source == .loader || key.cache != nil
            {
                return original
            }
            let replacement = Replacement(of: key.key, among: self.changes, effect)
            let loaded = try await self.load(work, unlessHolds: kept, by: transfer.validators)
            var original = kept?.confirmed(by: loaded) ?? loaded
            if original.source == .revalidated {
                self.refreshEntry(of: original, work)
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
