/// The image or the bytes that a request receives.
extension Pipeline {
    /// Returns the image of a request, found in a cache or made.
    func output(_ work: RequestWork) async throws -> PipelineOutput {
        if let found = try await queried(work) { return found }
        return try await unlessFailed(work.request, original: \.original) { access in
            try await self.made(work, access: access)
        }
    }

    /// Returns the image of a request from the caches; throws `notCached` if no cache has it.
    func cachedOutput(_ work: RequestWork) async throws -> PipelineOutput {
        if let found = try await queried(work) { return found }
        return try await made(work, access: .cacheOnly)
    }

    /// - Parameter access: The places that the original may come from; nil for those that the request allows.
    private func made(_ work: RequestWork, access: OriginalAccess?) async throws -> PipelineOutput {
        let request = work.request
        return try await transformed(
            work, steps: request.transformers[...], of: DecodeKey(request, access: access, after: changes))
    }

    /// Returns the bytes that the disk tier has, for a request whose image is the original; nil otherwise.
    func storedOriginal(_ work: RequestWork) async throws -> Data? {
        let request = work.request
        guard request.variant.isOriginal, let cache = request.cache, cache.tiers.contains(.disk) else { return nil }
        return try await read(request.variant, from: cache, work)?.entry.data
    }

    /// Returns the bytes of an original; nil if its loader gave an image instead.
    func data(of original: Original?, _ work: RequestWork) async throws -> Data? {
        guard let bytes = original?.bytes else { return nil }
        guard bytes.isReadWhenAsked else { return bytes.data }
        return try await lanes.reading.run(for: work.demand, job: Job()) { _ in try bytes.whole() }
    }
}
