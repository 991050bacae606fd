/// Which entry is read from a cache, and how often that had been changed before.
struct EntryKey: Hashable, Sendable {
    let place: StoreKey
    private let changeCount: Int

    init(_ variant: VariantKey, in cache: any ImageCache, after changes: CacheChanges) {
        place = StoreKey(variant, in: cache)
        changeCount = changes.count(of: variant.source)
    }
}

/// Which variant is read from a cache, and how long decoding it may take.
struct ReadKey: Hashable, Sendable {
    let entry: EntryKey
    let transfer: TransferID
}

/// An entry of a cache, and how it was read.
struct CacheRead: Sendable {
    let entry: CacheEntry
    let step: ImageMetrics.Step
    /// Its place among those that wait to be decoded.
    let share: Backlog.Share
}

extension Pipeline {
    /// The variant as memory has it, or a larger size of it where that will do. One look-up to the statistics.
    func remembered(_ resolution: Resolution) -> Image? {
        guard resolution.queriesMemory, let cache = resolution.cache,
            let image = cache.image(for: larger(resolution, in: cache) ?? resolution.variant),
            mayAnswer(resolution, chosenBy: image.storage.attributes.vary)
        else { return nil }
        return image.scaled(by: resolution.scale)
    }

    /// The variant, where memory has come to have it since it was asked: a look that is no miss in its statistics.
    func rememberedMeanwhile(_ resolution: Resolution) -> Image? {
        guard resolution.queriesMemory, let cache = resolution.cache,
            (try? cache.contains(resolution.variant, in: .memory)) == .memory
        else { return nil }
        return remembered(resolution)
    }

    /// The variant as the data tier has it; nil on a miss. A cache that fails has missed.
    ///
    /// Where the variant is the original itself, the stage of originals asks, so that the bytes are shared with it.
    func queried(_ resolution: Resolution, interest: Interest) async throws -> Product? {
        let context = resolution.context
        guard let cache = resolution.cache, !resolution.variant.isOriginal, !context[.fromLoaderOnly],
            context[.queryCacheType].intersection(cache.tiers).contains(.disk)
        else { return nil }
        let key = ReadKey(
            entry: EntryKey(resolution.variant, in: cache, after: changes), transfer: resolution.transfer)
        return try await reads.value(
            for: key, interest: interest, onJoin: joining(.query, resolution, interest)
        ) { interest in
            guard let read = try await self.read(resolution.variant, from: cache, resolution, interest: interest),
                self.mayAnswer(resolution, chosenBy: Vary(storedAttributes: read.entry.attributes))
            else { return nil }
            return try await self.decodedVariant(read, resolution, interest: interest)
        }
    }

    /// An entry of a cache; nil on a miss, also when the cache fails. Read once for all who want it at once, whatever
    /// they are going to make of it.
    func read(
        _ key: VariantKey, from cache: any ImageCache, _ resolution: Resolution, interest: Interest
    ) async throws -> CacheRead? {
        try await entries.value(
            for: EntryKey(key, in: cache, after: changes), interest: interest,
            onJoin: joining(.query, resolution, interest)
        ) { interest in
            try await self.readAlone(key, from: cache, resolution, interest: interest)
        }
    }

    /// An entry that is being stored, or else one that is read. Where none is, one that has begun to be stored since.
    private func readAlone(
        _ key: VariantKey, from cache: any ImageCache, _ resolution: Resolution, interest: Interest
    ) async throws -> CacheRead? {
        let place = StoreKey(key, in: cache)
        var prospect = await pendingStores.prospect(of: place, for: interest)
        if prospect == nil {
            if let read = try await readFromData(key, of: cache, resolution, interest: interest) { return read }
            prospect = await pendingStores.prospect(of: place, for: interest)
        }
        guard case .entry(let entry)? = prospect, !hasExpired(entry.expiration) else { return nil }
        let share = undecoded.share(entry.data.count, for: interest.priority)
        let span = begin(.query, of: resolution, for: interest, component: typeName(of: cache))
        return taken(entry, share, key, resolution, span.end(byteCount: entry.data.count))
    }

    /// An entry that is read once there is room for it.
    private func readFromData(
        _ key: VariantKey, of cache: any ImageCache, _ resolution: Resolution, interest: Interest
    ) async throws -> CacheRead? {
        let (outcome, step, share) = try await lanes.readingGate.run(for: interest) {
            () async throws -> (Result<CacheEntry?, any Error>, ImageMetrics.Step?, Backlog.Share) in
            let (outcome, step) = try await self.answer(of: cache, to: key, resolution, interest: interest)
            // Before the next one is let through, who looks whether there is room.
            let byteCount = (try? outcome.get())?.data.count ?? 0
            return (outcome, step, self.undecoded.share(byteCount, for: interest.priority))
        }
        do {
            guard let entry = try outcome.get(), let step else { return nil }
            return taken(entry, share, key, resolution, step)
        } catch {
            note(cacheError(error, stage: .query, cache), of: resolution)
            return nil
        }
    }

    /// What a cache says of an entry: here, where it can say so without waiting, else on the lane for reading.
    private func answer(
        of cache: any ImageCache, to key: VariantKey, _ resolution: Resolution, interest: Interest
    ) async throws -> (Result<CacheEntry?, any Error>, ImageMetrics.Step?) {
        let span = begin(.query, of: resolution, for: interest, component: typeName(of: cache))
        let prompt = ActorIsolation.isNone(#isolation) ? Result { try cache.promptEntry(for: key) } : .success(.unknown)
        do {
            switch try prompt.get() {
            case .entry(let entry): return (.success(entry), span.end(.success(entry)))
            case .absent: return (.success(nil), span.end(.success(nil)))
            case .unknown: break
            }
        } catch {
            return (.failure(error), span.end(.failure(error)))
        }
        let handover = StepHandover(span)
        defer { handover.stop() }
        return try await lanes.reading.run(for: interest, job: Job()) { _ in
            let span = try handover.take()
            let outcome = Result { try cache.entry(for: key) }
            return (outcome, span?.end(outcome))
        }
    }

    /// Whether a time has come, in seconds since 1970; nil never comes.
    func hasExpired(_ expiration: Double?) -> Bool { expiration.map { $0 <= time.wallTime() } ?? false }

    /// What is read, unless it is an original that is longer than allowed. Of a variant nobody but the manager decided
    /// how long it is.
    private func taken(
        _ entry: CacheEntry, _ share: Backlog.Share, _ key: VariantKey, _ resolution: Resolution,
        _ step: ImageMetrics.Step
    ) -> CacheRead? {
        guard !key.isOriginal || entry.data.count <= resolution.context[.maxInputBytes] else { return nil }
        return CacheRead(entry: entry, step: step, share: share)
    }

    /// A variant's bytes as an image. What cannot be decoded is removed and has missed: it will be made again.
    private func decodedVariant(
        _ read: CacheRead, _ resolution: Resolution, interest: Interest
    ) async throws -> Product? {
        let entry = read.entry
        do {
            // The pixels were made as the request wants them before they were stored: nothing is to be done to them
            // again.
            let context = ResolvedContext(layers: [
                (.manager, [.nativeDepth, .keepsProfile, .keepsOrientation, .maxInputBytes(.max)]),
                (.request, ImageContext(resolution.context.storedVariantSettings)),
            ])
            let decoded = try await decode(
                ImageBytes(entry.data), waiting: read.share, context: context, resolution, interest: interest)
            let image = decoded.image.restoring(entry.attributes)
            return Product(
                image: image, decoded: image, original: nil, source: .disk, share: decoded.share,
                steps: [read.step, decoded.step], expiration: entry.expiration)
        } catch let error as ImageError where Self.missCodes.contains(error.code) {
            note(error, of: resolution)
            // What another request can read, with another coder or other limits, is left for it.
            if error.code == .badData, let cache = resolution.cache {
                remove(entry.data, of: resolution.variant, from: cache, resolution)
            }
            return nil
        }
    }

    /// What makes a variant on disk as good as absent.
    private static let missCodes: Set<ImageError.Code> = [.badData, .unknownFormat, .limitExceeded]

    /// Begins to remove bytes that are of no use from the data tier. Nobody waits for that: what is stored in their
    /// place comes after it, and a read meanwhile finds nothing.
    ///
    /// What is there may be something else by then, made anew by another who read the same bytes: that stays.
    func remove(_ damaged: Data, of key: VariantKey, from cache: any ImageCache, _ resolution: Resolution) {
        pendingStores.beginRemoval(StoreKey(key, in: cache)) { interest in
            try await self.telling(of: cache, resolution) {
                try await self.lanes.writing.run(for: interest, job: Job()) { _ in
                    guard try cache.entry(for: key)?.data == damaged else { return }
                    try cache.remove(key, from: .disk)
                }
            }
        }
    }

    func cacheError(_ error: any Error, stage: ImageError.Stage, _ cache: any ImageCache) -> ImageError {
        .wrapping(
            error, as: .cacheFailed, stage: stage, component: typeName(of: cache), message: "the cache failed")
    }
}

extension StepSpan {
    /// Ends the reading of an entry, as what came of it says.
    fileprivate func end(_ outcome: Result<CacheEntry?, any Error>) -> ImageMetrics.Step? {
        switch outcome {
        case .success(let entry?): return end(byteCount: entry.data.count)
        case .success(nil): miss()
        case .failure(let error): stop(error)
        }
        return nil
    }
}

extension ResolvedContext {
    /// What of a request still matters for a variant that is read back: its coder and the limits.
    fileprivate var storedVariantSettings: [ContextSetting] {
        let keys: Set = [
            ContextKey.imageCoder.declaration, ContextKey.maxPixels.declaration, ContextKey.maxSidePixels.declaration,
            ContextKey.maxProfileBytes.declaration, ContextKey.keepsMetadata.declaration,
            ContextKey.maxMetadataBytes.declaration, ContextKey.maxFrames.declaration,
            ContextKey.maxTotalPixels.declaration, ContextKey.preloadsFrames.declaration,
            ContextKey.decodeTimeout.declaration,
        ]
        return entries.filter { keys.contains($0.key) }.map(\.value.setting)
    }
}
