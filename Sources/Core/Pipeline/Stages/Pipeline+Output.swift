/// The image or the bytes that a request receives.
extension Pipeline {
    /// Returns the image of a request, found in a cache or made.
    func output(_ work: RequestWork) async throws -> PipelineOutput {
        if let found = try await queried(work) { return found }
        let request = work.request
        // The access is restricted here, and not where the load would begin: requests that set `retryFailed` could
        // share that work, and would fail as well.
        guard let failure = failure(of: request) else {
            return try await made(work, of: DecodeKey(request, after: changes))
        }
        return try await cached(request, despite: failure, original: \.original) {
            try await self.madeFromCache(work)
        }
    }

    /// Returns the image of a request from a cache or from a cached original. Throws `notCached` if there is neither.
    func cachedOutput(_ work: RequestWork) async throws -> PipelineOutput {
        if let found = try await queried(work) { return found }
        return try await madeFromCache(work)
    }

    private func madeFromCache(_ work: RequestWork) async throws -> PipelineOutput {
        try await made(work, of: DecodeKey(work.request, access: .cacheOnly, after: changes))
    }

    /// Returns the bytes of a requested original from the disk tier; nil on a miss, or if a variant is requested.
    func storedOriginal(_ work: RequestWork) async throws -> Data? {
        let request = work.request
        guard request.variant.isOriginal, let cache = request.cache, cache.tiers.contains(.disk) else { return nil }
        return try await read(request.variant, from: cache, work)?.entry.data
    }

    /// Returns the bytes of an original; nil if there is no original, or if it is an image without bytes.
    func data(of original: Original?, _ work: RequestWork) async throws -> Data? {
        guard let bytes = original?.bytes else { return nil }
        guard bytes.isReadWhenAsked else { return bytes.data }
        return try await lanes.reading.run(for: work.demand, job: Job()) { _ in try bytes.whole() }
    }
}
