/// The removal of damaged and replaced entries, and the reporting of errors that caches throw. The removals that a
/// program asks for are in `ImageManager+Caching`.
extension Pipeline {
    /// Begins to remove damaged or useless bytes from the disk tier. Returns without waiting for the removal.
    ///
    /// A later store under the same key is written after the removal. Until the removal ends, lookups find the entry of
    /// such a store, or nothing. Another request that read the same bytes may replace the entry before the removal
    /// runs. The new entry is then kept.
    func remove(_ damaged: Data, of key: VariantKey, from cache: any ImageCache, _ request: ResolvedRequest) {
        pendingStores.beginRemoval(StoreKey(key, in: cache)) { waiter in
            try await self.telling(of: cache, request) {
                try await self.lanes.writing.run(for: waiter.demand, job: Job()) { _ in
                    guard try cache.entry(for: key)?.data == damaged else { return }
                    try cache.remove(key, from: .disk)
                }
            }
        }
    }

    /// Removes all cached entries of the source of a request, because the original has changed. Only entries with the
    /// same ``VariantKey/policy`` as the request are removed.
    func removeVariants(of request: ResolvedRequest) async {
        let (source, policy) = (request.variant.source, request.variant.policy)
        var caches = [request.cache, request.cacheOfOriginal].compactMap(\.self)
        if caches.count == 2, caches[0] === caches[1] { caches.removeLast() }
        for cache in caches {
            await pendingStores.wait(for: source, in: cache)
            _ = try? await telling(of: cache, request) {
                try await lanes.writing.run { try cache.removeAll(of: source, under: policy, from: .all) }
            }
        }
    }

    /// Runs `body`, and rethrows its errors. Each error is also reported as an event, because there may be no request
    /// that waits for the result.
    func telling<Made>(
        of cache: any ImageCache, _ request: ResolvedRequest, _ body: () async throws -> Made
    ) async throws -> Made {
        do {
            return try await body()
        } catch {
            noteIssue(.thrown(by: cache, error, stage: .store), of: request)
            throw error
        }
    }
}
