extension Pipeline {
    /// Returns the original: from memory, from the disk tier, or loaded.
    /// - Parameter immediate: The answer that the disk tier gave without waiting; nil if the disk tier was not asked.
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
                    .notCached, stage: .query, message: "is not cached, and loading is not allowed",
                    advice: "turn off `fromCacheOnly` to load it")
            }
            return try await self.transferred(key, unlessHolds: kept, work)
        }
    }

    /// Returns the original for a request that needs only its bytes. The original comes from the disk tier or is
    /// loaded.
    ///
    /// Reads the header of loaded bytes, and throws an error if that fails. Begins to store the bytes unless they may
    /// replace a cached original. ``replaceCached(by:for:)`` decodes and stores such bytes.
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

    /// Returns the original for a request that needs only its bytes. The original comes from the places in `access`.
    /// - Parameter access: The places that the original may come from; nil for those that the request allows.
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

    /// Returns the answer that the disk tier gives about the original without waiting, on the current thread. Returns
    /// nil if the disk tier was not asked, for example because memory is asked first, or because another request is
    /// already getting the original. Other requests do not share the answer.
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

    /// Returns the original from the tiers that may be asked; nil if none of them has it.
    /// - Parameter immediate: The answer that the disk tier gave without waiting; nil if the disk tier was not asked.
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
    /// Returns the stale original itself if HTTP allows its use during revalidation, which then takes place in the
    /// background. Also returns the stale original if the load fails with a transient error and HTTP allows its use
    /// after an error.
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

    /// Loads an original, or returns the cached one if the source confirms that it is still valid. The load runs once
    /// for all concurrent requests.
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
