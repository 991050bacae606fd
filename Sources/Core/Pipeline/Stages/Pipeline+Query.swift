extension Pipeline {
    /// Returns the requested image from memory, or a larger one if the request accepts it. Returns nil on a miss.
    /// - Parameter countsMiss: Whether a miss counts in the cache's statistics. Pass false to repeat an earlier lookup.
    func imageInMemory(_ request: ResolvedRequest, countsMiss: Bool = true) -> Image? {
        guard request.queriesMemory, let cache = request.cache, countsMiss || isInMemory(request),
            let image = cache.image(for: larger(request, in: cache) ?? request.variant),
            mayAnswer(request, chosenBy: image.storage.attributes.vary)
        else { return nil }
        return image.scaled(by: request.scale)
    }

    /// Returns whether the requested image is in memory. The lookup counts neither as a use nor as a miss.
    func isInMemory(_ request: ResolvedRequest) -> Bool {
        guard request.queriesMemory, let cache = request.cache else { return false }
        return (try? cache.contains(request.variant, in: .memory)) == .memory
    }

    /// Returns the requested image from the disk tier; nil on a miss, or if the cache fails.
    ///
    /// Also returns nil if the request is for the original itself: ``original(_:_:after:onReport:)`` reads it.
    func queried(_ work: RequestWork) async throws -> PipelineOutput? {
        let context = work.request.context
        guard let cache = work.request.cache, !work.request.variant.isOriginal, !context[.fromLoaderOnly],
            context[.queryCacheType].intersection(cache.tiers).contains(.disk)
        else { return nil }
        let key = ReadKey(
            entry: EntryKey(work.request.variant, in: cache, after: changes), transfer: work.request.transfer)
        return try await reads.value(
            for: key, work, onJoin: joining(.query, work)
        ) { work in
            guard let read = try await self.read(work.request.variant, from: cache, work),
                self.mayAnswer(work.request, chosenBy: Vary(storedAttributes: read.entry.attributes))
            else { return nil }
            return try await self.decodedVariant(read, work)
        }
    }

    /// Decodes a stored variant. Returns nil if it cannot be decoded, which counts as a miss. Removes a damaged entry.
    private func decodedVariant(
        _ read: CacheRead, _ work: RequestWork
    ) async throws -> PipelineOutput? {
        let entry = read.entry
        do {
            // The settings of the request were applied to the pixels before they were stored, and must not be applied
            // again.
            let context = ResolvedContext(layers: [
                (.manager, [.nativeDepth, .keepsProfile, .keepsOrientation, .maxInputBytes(.max)]),
                (.request, work.request.context.settings(affecting: .storedVariants)),
            ])
            let decoded = try await decode(
                ImageBytes(entry.data), waiting: read.reservation, context: context, work)
            let image = decoded.image.restoring(entry.attributes)
            return PipelineOutput(
                image: image, decoded: image, original: nil, source: .disk, reservation: decoded.reservation,
                steps: [read.step, decoded.step], expiration: entry.expiration)
        } catch let error as ImageError where Self.missCodes.contains(error.code) {
            noteIssue(error, of: work.request)
            // An entry that is not damaged is kept for requests with another coder or other limits.
            if error.code == .badData, let cache = work.request.cache {
                remove(entry.data, of: work.request.variant, from: cache, work.request)
            }
            return nil
        }
    }

    /// The codes of errors for which a stored variant counts as absent.
    private static let missCodes: Set<ImageError.Code> = [.badData, .unknownFormat, .limitExceeded]
}
