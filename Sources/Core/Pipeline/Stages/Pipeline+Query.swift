extension Pipeline {
    /// Returns the variant from memory, or a larger size of it if the request takes one.
    /// - Parameter countsMiss: Whether a miss is counted by the statistics of the cache. Pass false if it was asked
    ///   before.
    func imageInMemory(_ request: ResolvedRequest, countsMiss: Bool = true) -> Image? {
        guard request.queriesMemory, let cache = request.cache, countsMiss || isInMemory(request),
            let image = cache.image(for: larger(request, in: cache) ?? request.variant),
            mayAnswer(request, chosenBy: image.storage.attributes.vary)
        else { return nil }
        return image.scaled(by: request.scale)
    }

    /// Whether the variant is in memory, without counting a use or a miss.
    func isInMemory(_ request: ResolvedRequest) -> Bool {
        guard request.queriesMemory, let cache = request.cache else { return false }
        return (try? cache.contains(request.variant, in: .memory)) == .memory
    }

    /// The variant as the disk tier has it; nil on a miss. A cache that fails has missed.
    ///
    /// Where the variant is the original itself, the stage of originals asks, so that the bytes are shared with it.
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

    /// A variant's bytes as an image. What cannot be decoded is removed and has missed: it will be made again.
    private func decodedVariant(
        _ read: CacheRead, _ work: RequestWork
    ) async throws -> PipelineOutput? {
        let entry = read.entry
        do {
            // The pixels were made as the request wants them before they were stored: nothing is to be done to them
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
            note(error, of: work.request)
            // What another request can read, with another coder or other limits, is left for it.
            if error.code == .badData, let cache = work.request.cache {
                remove(entry.data, of: work.request.variant, from: cache, work.request)
            }
            return nil
        }
    }

    /// The codes of errors that make a variant on disk count as absent.
    private static let missCodes: Set<ImageError.Code> = [.badData, .unknownFormat, .limitExceeded]
}
