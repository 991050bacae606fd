/// Revalidation of cached images at their source.
extension Pipeline {
    /// The result of revalidating an image.
    enum Refreshed {
        /// The source has confirmed the image. The associated value contains the steps of the revalidation.
        case confirmed([ImageMetrics.Step])
        /// The image has been replaced.
        case replaced(PipelineOutput)
    }

    /// Asks the source of an image whether the image is still valid, and loads it again if it is not.
    /// - Parameter cached: The cached image. It counts as confirmed only if it was made from the version that the
    ///   source confirms. With nil, the result is `confirmed` whenever the source confirms the cached original.
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

    /// Begins to refresh the image of a request in the background, with low priority.
    ///
    /// Many requests may show the same image while its source answers slowly. The image is refreshed once for all of
    /// them.
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

    /// Decodes an original that was loaded for its bytes only, so that it replaces the cached entries of its source.
    ///
    /// Does nothing if the original came from a cache, if it replaces nothing, or if its image is already being
    /// refreshed. If the original cannot be decoded, the cached entries are kept. The decode runs in the background
    /// with low priority. If the request waits for its stores, it waits for the decode as well, which then has the
    /// priority of the request.
    func replaceCached(by original: Original, for request: ResolvedRequest) async {
        guard original.source == .loader, original.replacement?.replacesNothing == false else { return }
        let key = DecodeKey(request, access: .refresh, after: changes)
        guard refreshing.withLock({ $0.insert(key).inserted }) else { return }
        let isAwaited = request.context[.waitStoreCache] || pendingStores.isFull
        let priority = isAwaited ? request.context[.priority] : .low
        let replacing = Task.detached { [self] in
            defer { refreshing.withLock { _ = $0.remove(key) } }
            let work = RequestWork(request, for: SilentWaiter(priority: priority), after: changes)
            guard let output = try? await decoded(original, work), !output.decoded.attributes.isPartial else { return }
            _ = try? await storeUndecoded(original, work)?.value
        }
        if isAwaited { await replacing.value }
    }
}
