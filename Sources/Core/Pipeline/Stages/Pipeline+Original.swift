extension Pipeline {
    /// Returns the original from memory or from the disk tier, or loads it.
    /// - Parameter immediate: The result of ``immediatelyKept(_:_:)``; nil if it was not called.
    func original(
        _ key: OriginalKey, _ work: RequestWork,
        after immediate: ImmediateAnswer<Original>? = nil,
        onReport: ReportReceiver? = nil
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
                    .notCached, stage: .query, message: "is not cached, and loading is not allowed",
                    advice: "turn off `fromCacheOnly` to load it")
            }
            return try await self.transferred(key, unlessHolds: kept, work)
        }
    }

    /// Returns the original without decoding it, from the disk tier or from the loader.
    ///
    /// Throws an error if the header of loaded bytes is not valid. Begins to store loaded bytes if the caches had no
    /// entries to replace. Otherwise, ``replaceCached(by:for:)`` stores the bytes after it has decoded them.
    func undecodedOriginal(_ work: RequestWork) async throws -> Original {
        let request = work.request
        if let failure = failure(of: request) {
            guard !request.isRefreshed else { throw failure }
            return try await cached(request, despite: failure, original: \.self) {
                try await self.undecodedOriginal(work, access: .cacheOnly)
            }
        }
        guard request.isRefreshed, let kept = try await keptOriginal(work) else {
            return try await undecodedOriginal(work, access: nil)
        }
        kept.release()
        do {
            return try await undecodedOriginal(work, access: .refresh)
        } catch let error as ImageError where error.code == .notCached {
            // The delegate does not allow a load from the source.
            return try await cached(request, despite: error, original: \.self) { kept }
        }
    }

    /// Returns the original from the disk tier; nil if it has none.
    private func keptOriginal(_ work: RequestWork) async throws -> Original? {
        do {
            return try await undecodedOriginal(work, access: .cacheOnly)
        } catch let error as ImageError where error.code == .notCached {
            return nil
        }
    }

    /// Returns the original without decoding it.
    /// - Parameter access: Whether to use caches, the loader or both; nil to follow the request's settings.
    private func undecodedOriginal(_ work: RequestWork, access: OriginalAccess?) async throws -> Original {
        let request = work.request
        let original = try await original(OriginalKey(request, access: access, after: changes).withoutMemory, work)
        guard original.source == .loader, let bytes = original.bytes else { return original }
        do {
            _ = try await lanes.inspecting.run(for: work.demand, job: Job()) { [coders] _ in
                try coders.info(of: bytes, context: request.context)
            }
        } catch let error as ImageError where error.stage == .decode {
            await remember(error, of: work)
            throw error
        }
        original.release()
        guard original.replacement?.replacesNothing == true else { return original }
        let isBehind = pendingStores.isFull
        let store = storeUndecoded(original, work)
        if request.context[.waitStoreCache] || isBehind { _ = try? await store?.value }
        return original
    }

    /// Looks for the original in the disk tier, on the current thread and without waiting. Returns nil if the disk tier
    /// was not asked.
    func immediatelyKept(
        _ key: OriginalKey, _ work: RequestWork
    ) -> ImmediateAnswer<Original>? {
        guard key.cache != nil, key.access != .refresh, key.tiers == .disk,
            let cache = work.request.cacheOfOriginal, cache.tiers.contains(.disk), !originals.contain(key)
        else { return nil }
        return immediateRead(key.key, from: cache, work)?.map { Original($0) }
    }

    /// Returns whether a cached original may be used without revalidation.
    func isUsable(_ kept: Original, by key: OriginalKey, _ request: ResolvedRequest) -> Bool {
        !key.isLoadingAllowed || staleness(of: kept, request) == nil
    }

    /// Returns the cached original; nil if there is none.
    /// - Parameter immediate: The result of ``immediatelyKept(_:_:)``; nil if it was not called.
    private func kept(
        _ key: OriginalKey, _ work: RequestWork, after immediate: ImmediateAnswer<Original>?
    ) async throws -> Original? {
        switch immediate {
        case .found(let original): return original
        case .absent: return nil
        case .unknown, nil: break
        }
        guard key.cache != nil, let cache = work.request.cacheOfOriginal else { return nil }
        // An image in memory has no validators to revalidate it with.
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

    /// Returns the original from memory, with its expiration.
    private func originalInMemory(_ key: VariantKey, in cache: any ImageCache, _ request: ResolvedRequest) -> Original?
    {
        // The expiration is read first: if the image is evicted in between, this is a miss and not an image that never
        // expires.
        let expiration = cache.remainingTime(for: key).map { time.wallTime() + $0.seconds }
        guard let image = cache.image(for: key), mayAnswer(request, chosenBy: image.storage.attributes.vary) else {
            return nil
        }
        // Cached images were storable, except that memory also keeps data URIs, which are never written to disk.
        return Original(
            .image(image), source: .memory, expiration: expiration, isStorable: !request.url.isDataURI)
    }

    /// Revalidates a stale original. Returns the original that the source confirms or sends.
    ///
    /// HTTP may allow the use of the stale original. It is then returned at once and refreshed in the background
    /// (`stale-while-revalidate`), or returned after the load has failed with a transient error (`stale-if-error`).
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
            noteIssue(error, of: work.request)
            return kept
        }
    }

    /// Loads an original, or returns `kept` if its source confirms it. Concurrent requests share one load.
    func transferred(
        _ key: OriginalKey, unlessHolds kept: Original?, _ work: RequestWork
    ) async throws -> Original {
        // Otherwise requests that hold a reservation could wait for each other's loads.
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
