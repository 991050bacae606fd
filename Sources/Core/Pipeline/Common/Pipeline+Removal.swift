/// The removal of damaged and replaced entries, and the reporting of errors that caches throw. The removals that a
/// program asks for are in `ImageManager+Caching`.
extension Pipeline {
    /// Begins to remove damaged or useless bytes from the disk tier. Does not wait for the removal.
    ///
    /// Stores that begin later under the same key wait for the removal. If another request has replaced the bytes
    /// before the removal runs, the new entry is kept.
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

    /// Removes all cached entries of the source of a request, because the original has changed. Keeps entries whose
    /// ``VariantKey/policy`` differs from that of the request.
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

    /// Runs `body`, and reports its errors as events before rethrowing them: there may be no request that waits.
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
