extension Pipeline {
    /// The response to a request that has its source asked even though a cache has the image: that one first, told by
    /// `onCached`, and then it again where it still holds, or else the new one. Nil when no cache has it.
    func refreshedResponse(
        to request: ImageRequest, _ resolved: ResolvedRequest, waiter: any Waiter,
        onCached: (ImageResponse) -> Void
    ) async throws -> ImageResponse? {
        guard let cached = try await cachedResponse(to: request, resolved, waiter: waiter) else { return nil }
        onCached(cached)
        if let failure = failure(of: resolved) { throw failure }
        let changeCount = changes.count(of: resolved.variant.source)
        do {
            switch try await refreshed(cached.image, resolved, waiter: waiter) {
            case .confirmed(let steps):
                return ImageResponse(
                    request: request, image: cached.image, source: .revalidated, data: cached.data,
                    metrics: ImageMetrics(steps: cached.metrics.steps + steps))
            case .replaced(let output):
                return try await response(to: request, output, resolved, waiter: waiter, after: changeCount)
            }
        } catch let error as ImageError where error.code == .notCached {
            // The delegate does not allow the source to be asked.
            return cached
        }
    }

    /// The image as the caches have it, which is kept in memory from now on; nil when none does.
    private func cachedResponse(
        to request: ImageRequest, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> ImageResponse? {
        if let image = remembered(resolved) {
            let readsData = resolved.context[.queryMemoryData]
            let data = readsData ? try await keptData(resolved, waiter: waiter) : nil
            return ImageResponse(request: request, image: image, source: .memory, data: data)
        }
        let changeCount = changes.count(of: resolved.variant.source)
        do {
            let output = try await output(resolved, access: .cacheOnly, waiter: waiter)
            return try await response(to: request, output, resolved, waiter: waiter, after: changeCount)
        } catch let error as ImageError where Self.absenceCodes.contains(error.code) {
            return nil
        }
    }

    /// The codes of errors that mean that no cache has an image to show; damaged ones have been removed.
    private static let absenceCodes: Set<ImageError.Code> = [.notCached, .badData, .unknownFormat]

    /// The result of asking an image's source.
    private enum Refreshed {
        /// The image is still the same, as these steps have shown.
        case confirmed([ImageMetrics.Step])
        /// The image has been replaced.
        case replaced(PipelineOutput)
    }

    /// - Parameter cached: The image that a cache has; nil where it is not going to be shown.
    private func refreshed(
        _ cached: Image?, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> Refreshed {
        // What is brought is used by the decoding below, too: it is not brought twice.
        let isKept = originalsInUse.begin(resolved.transfer)
        defer { if isKept { originalsInUse.end(resolved.transfer) } }
        let key = OriginalKey(resolved, access: .refresh, after: changes)
        let original = try await original(key, resolved, waiter: waiter)
        original.release()
        // What is confirmed is the original that a cache has. The image may be of one before that.
        if original.source == .revalidated {
            guard let cached else { return .confirmed(original.steps) }
            let version = await version(of: original, waiter: waiter)
            if cached.attributes.version == version { return .confirmed(original.steps) }
        }
        return .replaced(
            try await transformed(
                resolved, steps: resolved.transformers[...],
                of: DecodeKey(resolved, access: .refresh, after: changes), waiter: waiter))
    }

    /// Begins to ask the source of an image whether it still holds, and to bring it anew if it does not. Nobody waits
    /// for that.
    func beginRefreshing(_ resolved: ResolvedRequest) {
        let key = DecodeKey(resolved, access: .refresh, after: changes)
        // Once for all requests that show the same image: they may be many while a source takes its time.
        guard failure(of: resolved) == nil, refreshing.withLock({ $0.insert(key).inserted }) else { return }
        Task.detached { [self] in
            defer { refreshing.withLock { _ = $0.remove(key) } }
            let changeCount = changes.count(of: resolved.variant.source)
            let waiter = SilentWaiter(priority: .low)
            guard case .replaced(let output)? = try? await refreshed(nil, resolved, waiter: waiter) else {
                return
            }
            _ = try? await store(output, resolved, after: changeCount)
        }
    }

    /// Returns the version of an original, computed on a thread that may block if necessary; nil if nothing tells it,
    /// or no waiter is left.
    func version(of original: Original, waiter: any Waiter) async -> String? {
        guard original.takesTimeToTellVersion else { return original.version }
        return try? await lanes.inspecting.run(for: waiter, job: Job()) { _ in original.version }
    }

    /// Removes what was made of an original that is another one by now. What others were sent, under other policies,
    /// stays.
    func removeVariants(of resolved: ResolvedRequest) async {
        let (source, policy) = (resolved.variant.source, resolved.variant.policy)
        var caches = [resolved.cache, resolved.cacheOfOriginal].compactMap(\.self)
        if caches.count == 2, caches[0] === caches[1] { caches.removeLast() }
        for cache in caches {
            await pendingStores.wait(for: source, in: cache)
            _ = try? await telling(of: cache, resolved) {
                try await lanes.writing.run { try cache.removeAll(of: source, under: policy, from: .all) }
            }
        }
    }
}
