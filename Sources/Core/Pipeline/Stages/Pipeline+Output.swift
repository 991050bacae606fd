/// The image or the bytes that a request receives.
extension Pipeline {
    /// Returns the image of a request, found in a cache or made.
    /// - Parameter access: The places that the original may come from; nil for those that the request allows.
    func output(_ work: RequestWork, access: OriginalAccess? = nil) async throws -> PipelineOutput {
        if let found = try await queried(work) { return found }
        let request = work.request
        return try await unlessFailed(request, access: access) { access in
            try await self.transformed(
                work, steps: request.transformers[...], of: DecodeKey(request, access: access, after: self.changes))
        }
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
