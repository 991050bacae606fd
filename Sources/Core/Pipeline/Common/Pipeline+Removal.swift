/// Removing entries that are of no use any more, and the failures of caches.
extension Pipeline {
    /// Begins to remove bytes that are of no use from the disk tier. No request waits for that: what is stored in their
    /// place comes after it, and a read meanwhile finds nothing.
    ///
    /// The entry may be another one by then, made anew by a request that read the same bytes: that stays.
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

    /// Removes what was made of an original that is another one by now. What others were sent, under other policies,
    /// stays.
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

    /// Runs `body`, and reports its failure as an event as well: no request may be waiting for it.
    func telling<Made>(
        of cache: any ImageCache, _ request: ResolvedRequest, _ body: () async throws -> Made
    ) async throws -> Made {
        do {
            return try await body()
        } catch {
            note(cacheError(error, stage: .store, cache), of: request)
            throw error
        }
    }

    func cacheError(_ error: any Error, stage: ImageError.Stage, _ cache: any ImageCache) -> ImageError {
        .wrapping(
            error, as: .cacheFailed, stage: stage, component: typeName(of: cache),
            message: "the cache could not be used")
    }
}
