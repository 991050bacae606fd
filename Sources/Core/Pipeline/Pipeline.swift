/// The way of a request: query, load, decode, transform, store.
///
/// One file for each stage, in the order in which a request meets them: `ResolvedRequest`, `Pipeline+Query`,
/// `Pipeline+Load`, `Pipeline+Decode`, `Pipeline+Transform`, `Pipeline+Store`. A stage whose work can be wanted twice
/// at once has a table, in which it is done once for all waiters. Each request asks by itself what a cache can tell
/// without waiting: that costs less than a place in a table.
///
/// However many requests there are at once, memory is bounded. One that waits for its turn holds its values and a place
/// in a queue. What was loaded or read waits for a decoder: as much as `undecoded` allows, and what those loads and
/// reads bring that had begun before it was too much. What is being decoded takes no more at once than
/// `Concurrency.decodeMemory`, by what its headers say; a picture that takes more is decoded alone. What was decoded
/// waits for transformers, encoders and disks: as much as `unfinished` allows, what is decoded at once, and what
/// transformers make larger of it. The two are counted apart: a picture goes from the one to the other when it is made.
/// What is still to be written when its request has ended is bounded by `PendingStores`.
final class Pipeline: Sendable {
    let registry: Registry
    let lanes: Lanes
    let time: any TimeSource
    /// The counters of work done and in progress.
    let counters = Counters()
    /// The ways to the listeners.
    let channels = EventChannels()

    /// Entries being read from a cache's disk tier.
    let entries = WorkTable<EntryKey, CacheRead?>()
    /// Variants being read from a cache's disk tier and decoded.
    let reads = WorkTable<ReadKey, PipelineOutput?>()
    /// Originals being found in a cache or loaded.
    let originals = WorkTable<OriginalKey, Original>()
    /// Transfers under way.
    let transfers = WorkTable<TransferKey, Original>()
    /// The originals that are being decoded.
    let originalsInUse = OriginalsInUse()
    /// Originals being decoded.
    let decodes = WorkTable<DecodeKey, PipelineOutput>()
    /// Images being transformed, by what was done to them so far.
    let transforms = WorkTable<TransformKey, PipelineOutput>()

    /// Stores and removals under way.
    let pendingStores = PendingStores()
    /// Loads that wait for others.
    let loadWaits = LoadWaits()
    /// The images that are being refreshed while they are already shown.
    let refreshing = Lock<Set<DecodeKey>>([])
    /// The recent failures.
    let failures: FailedSources
    /// The stores and removals by hand, and the replacements.
    let changes = CacheChanges()

    /// Bytes that wait to be decoded. While there are too many nothing more is read and no load begins, or begins to
    /// write where its loader has a queue of its own; but for what is more urgent.
    let undecoded = Backlog(limit: 64 << 20)
    /// Pictures on the way from their decoder to the end of their requests. While they take too much nothing more is
    /// decoded.
    let unfinished = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 8), 1 << 30))
    /// The memory of progressive decoders whose files are arriving. While that is too much no more of them begin.
    let previewed = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 16), 512 << 20))

    init(registry: Registry, concurrency: Concurrency, time: any TimeSource) {
        self.registry = registry
        self.time = time
        failures = FailedSources(time: time)
        lanes = Lanes(concurrency, undecoded: undecoded, unfinished: unfinished)
    }

    /// The response to a request of which no image is in memory, or none that may answer it by itself.
    /// - Parameter onCached: Told what a cache had, where the source is asked in spite of that.
    func response(
        to request: ImageRequest, _ resolved: ResolvedRequest, waiter: any Waiter, onCached: (ImageResponse) -> Void
    ) async throws -> ImageResponse {
        if resolved.isRefreshed,
            let response = try await refreshedResponse(
                to: request, resolved, waiter: waiter, onCached: onCached)
        {
            return response
        }
        let changeCount = changes.count(of: resolved.variant.source)
        let output = try await output(resolved, waiter: waiter)
        return try await response(to: request, output, resolved, waiter: waiter, after: changeCount)
    }

    /// The image of a request, found in a cache or made.
    /// - Parameter access: Where the original may come from; nil as the request says.
    func output(
        _ resolved: ResolvedRequest, access: OriginalAccess? = nil, waiter: any Waiter
    ) async throws -> PipelineOutput {
        if let found = try await queried(resolved, waiter: waiter) { return found }
        return try await unlessFailed(resolved, access: access) { access in
            try await self.transformed(
                resolved, steps: resolved.transformers[...],
                of: DecodeKey(resolved, access: access, after: self.changes), waiter: waiter)
        }
    }

    /// The response with an image that is there, which is kept.
    /// - Parameter changeCount: How many changes of the source had ended before it was looked for.
    func response(
        to request: ImageRequest, _ output: PipelineOutput, _ resolved: ResolvedRequest, waiter: any Waiter,
        after changeCount: Int
    ) async throws -> ImageResponse {
        try Task.checkCancellation()
        let storing = try await store(output, resolved, after: changeCount)
        let data = resolved.variant.isOriginal ? try await data(of: output.original, waiter: waiter) : nil
        return ImageResponse(
            request: request, image: output.image.scaled(by: resolved.scale), source: output.source, data: data,
            metrics: ImageMetrics(steps: output.steps + storing))
    }

    /// The file of a request whose image is in memory, where the image is the original and the disk tier has it.
    func keptData(_ resolved: ResolvedRequest, waiter: any Waiter) async throws -> Data? {
        guard resolved.variant.isOriginal, let cache = resolved.cache, cache.tiers.contains(.disk) else {
            return nil
        }
        return try await read(resolved.variant, from: cache, resolved, waiter: waiter)?.entry.data
    }

    /// The bytes of an original, where it has any, read on the lane for that if they still have to be.
    private func data(of original: Original?, waiter: any Waiter) async throws -> Data? {
        guard let bytes = original?.bytes else { return nil }
        guard bytes.isReadWhenAsked else { return bytes.data }
        return try await lanes.reading.run(for: waiter, job: Job()) { _ in try bytes.whole() }
    }
}
