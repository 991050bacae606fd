/// Revalidation of cached images at their source.
extension Pipeline {
    /// The result of revalidating an image.
    enum Refreshed {
        /// The source has confirmed the image. The associated value contains the steps of the revalidation.
        case confirmed([ImageMetrics.Step])
        /// The image has been replaced.
        case replaced(PipelineOutput)
    }

    /// Asks the source whether a cached image is still valid, and loads the image again if it is not.
    /// - Parameter cached: The cached image; nil to check only the cached original.
    func refreshed(_ cached: Image?, _ work: RequestWork) async throws -> Refreshed {
        let request = work.request
        // The loaded original is kept for the decode below, so that it is not loaded twice.
        let isKept = originalsInUse.begin(request.transfer)
        defer { if isKept { originalsInUse.end(request.transfer) } }
        let key = OriginalKey(request, access: .refresh, after: changes)
        let original = try await original(key, work)
        original.release()
        // The source confirms the cached original. The image may be made from an earlier one.
        if original.source == .revalidated {
            guard let cached else { return .confirmed(original.steps) }
            let version = await version(of: original, for: work.demand)
            if cached.attributes.version == version { return .confirmed(original.steps) }
        }
        return .replaced(try await made(work, of: DecodeKey(request, access: .refresh, after: changes)))
    }

    /// Begins to refresh the image of a request in the background, with low priority. Does nothing if it is already
    /// being refreshed.
    func beginRefreshing(_ request: ResolvedRequest) {
        let key = DecodeKey(request, access: .refresh, after: changes)
        guard failure(of: request) == nil, refreshing.withLock({ $0.insert(key).inserted }) else { return }
        Task.detached { [self] in
            defer { refreshing.withLock { _ = $0.remove(key) } }
            let work = RequestWork(request, for: SilentWaiter(priority: .low), after: changes)
            guard case .replaced(let output)? = try? await refreshed(nil, work) else { return }
            _ = try? await store(output, work)
        }
    }

    /// Replaces the cached entries of a source with an original that was loaded for its bytes only. Decodes the
    /// original first, and keeps the cached entries if that fails.
    ///
    /// The decode runs in the background with low priority. If the request waits for its stores, this method waits for
    /// the decode, which then has the request's priority.
    func replaceCached(by original: Original, for request: ResolvedRequest) async {
        guard original.source == .loader, original.replacement?.replacesNothing == false else { return }
        let key = DecodeKey(request, access: .refresh, after: changes)
        guard refreshing.withLock({ $0.insert(key).inserted }) else { return }
        let isAwaited = request.context[.waitStoreCache] || pendingStores.isFull
        let priority = isAwaited ? request.context[.priority] : .low
        let replacing = Task.detached { [self] in
            defer { refreshing.withLock { _ = $0.remove(key) } }
            let work = RequestWork(request, for: SilentWaiter(priority: priority), after: changes)
            await (try? decoded(original, of: key, work))?.original?.stores.wait()
        }
        if isAwaited { await replacing.value }
    }
}
