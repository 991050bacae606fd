/// The identity of a cache entry to read, with the number of its changes before.
struct EntryKey: Hashable, Sendable {
    let place: StoreKey
    private let changeCount: Int

    init(_ variant: VariantKey, in cache: any ImageCache, after changes: CacheChanges) {
        place = StoreKey(variant, in: cache)
        changeCount = changes.count(of: variant.source)
    }
}

/// The identity of a variant to read, with the time that its decode may take.
struct ReadKey: Hashable, Sendable {
    let entry: EntryKey
    let transfer: TransferID
}

/// An entry of a cache, and how it was read.
struct CacheRead: Sendable {
    let entry: CacheEntry
    let step: ImageMetrics.Step
    /// Its place among those that wait to be decoded.
    let reservation: Backlog.Reservation
}

/// The answer that can be given without waiting.
enum ImmediateAnswer<Found: Sendable>: Sendable {
    case found(Found)
    case absent
    /// The answer is not known without waiting.
    case unknown

    /// The same of what is made of it.
    func map<Made>(_ body: (Found) -> Made) -> ImmediateAnswer<Made> {
        switch self {
        case .found(let found): .found(body(found))
        case .absent: .absent
        case .unknown: .unknown
        }
    }
}

extension Pipeline {
    /// The variant as memory has it, or a larger size of it where that will do. One look-up to the statistics.
    func remembered(_ resolved: ResolvedRequest) -> Image? {
        guard resolved.queriesMemory, let cache = resolved.cache,
            let image = cache.image(for: larger(resolved, in: cache) ?? resolved.variant),
            mayAnswer(resolved, chosenBy: image.storage.attributes.vary)
        else { return nil }
        return image.scaled(by: resolved.scale)
    }

    /// The variant, where memory has come to have it since it was asked: a look that is no miss in its statistics.
    func rememberedMeanwhile(_ resolved: ResolvedRequest) -> Image? {
        guard resolved.queriesMemory, let cache = resolved.cache,
            (try? cache.contains(resolved.variant, in: .memory)) == .memory
        else { return nil }
        return remembered(resolved)
    }

    /// The variant as the disk tier has it; nil on a miss. A cache that fails has missed.
    ///
    /// Where the variant is the original itself, the stage of originals asks, so that the bytes are shared with it.
    func queried(_ resolved: ResolvedRequest, waiter: any Waiter) async throws -> PipelineOutput? {
        let context = resolved.context
        guard let cache = resolved.cache, !resolved.variant.isOriginal, !context[.fromLoaderOnly],
            context[.queryCacheType].intersection(cache.tiers).contains(.disk)
        else { return nil }
        let key = ReadKey(
            entry: EntryKey(resolved.variant, in: cache, after: changes), transfer: resolved.transfer)
        return try await reads.value(
            for: key, waiter: waiter, onJoin: joining(.query, resolved, waiter)
        ) { waiter in
            guard let read = try await self.read(resolved.variant, from: cache, resolved, waiter: waiter),
                self.mayAnswer(resolved, chosenBy: Vary(storedAttributes: read.entry.attributes))
            else { return nil }
            return try await self.decodedVariant(read, resolved, waiter: waiter)
        }
    }

    /// Returns an entry of a cache; nil on a miss, also if the cache fails. If the cache has to be waited for, it is
    /// read once for all concurrent requests, whatever they make of it.
    /// - Parameter wasAsked: Whether the cache was just asked what it can say without waiting.
    func read(
        _ key: VariantKey, from cache: any ImageCache, _ resolved: ResolvedRequest, waiter: any Waiter,
        wasAsked: Bool = false
    ) async throws -> CacheRead? {
        let isOnPool = ActorIsolation.isNone(#isolation)
        let immediate =
            isOnPool && !wasAsked ? immediateRead(key, from: cache, resolved, waiter: waiter) : nil
        switch immediate {
        case .found(let read): return read
        case .absent: return nil
        case .unknown, nil: break
        }
        return try await entries.value(
            for: EntryKey(key, in: cache, after: changes), waiter: waiter,
            onJoin: joining(.query, resolved, waiter)
        ) { waiter in
            try await self.readAlone(
                key, from: cache, resolved, waiter: waiter, wasAsked: wasAsked || immediate != nil)
        }
    }

    /// An entry as a cache has it, read here, on a thread of the pool; nil where the cache was not asked: since
    /// something of it is being stored or removed, there is no room for it, or nobody wants it any more. Shared with
    /// nobody: that would cost more than to read it again.
    func immediateRead(
        _ key: VariantKey, from cache: any ImageCache, _ resolved: ResolvedRequest, waiter: any Waiter
    ) -> ImmediateAnswer<CacheRead>? {
        let place = StoreKey(key, in: cache)
        guard !Task.isCancelled, !pendingStores.concern(place) else { return nil }
        let answer = lanes.readingGate.runNow(for: waiter) {
            immediateAnswer(of: cache, to: key, resolved, waiter: waiter)
        }
        // What has begun to be stored meanwhile is not there yet.
        if case .absent? = answer, pendingStores.concern(place) { return .unknown }
        return answer
    }

    /// Returns the answer that a cache can give about an entry without waiting.
    private func immediateAnswer(
        of cache: any ImageCache, to key: VariantKey, _ resolved: ResolvedRequest, waiter: any Waiter
    ) -> ImmediateAnswer<CacheRead> {
        let start = time.now()
        let outcome = Result { try cache.immediateEntry(for: key) }
        if case .success(.unknown) = outcome { return .unknown }
        let span = begin(
            .query, of: resolved, for: waiter, component: typeName(of: cache), after: time.now() - start)
        return read(outcome.map(\.entry), span, of: cache, key, resolved, waiter: waiter)
            .map { .found($0) } ?? .absent
    }

    /// An entry that is being stored, or else one that is read. Where none is, one that has begun to be stored since.
    private func readAlone(
        _ key: VariantKey, from cache: any ImageCache, _ resolved: ResolvedRequest, waiter: any Waiter, wasAsked: Bool
    ) async throws -> CacheRead? {
        let place = StoreKey(key, in: cache)
        var prospect = await pendingStores.prospect(of: place, for: waiter)
        if prospect == nil {
            let read = try await readFromData(key, of: cache, resolved, waiter: waiter, wasAsked: wasAsked)
            if let read { return read }
            prospect = await pendingStores.prospect(of: place, for: waiter)
        }
        guard case .entry(let entry)? = prospect, !hasExpired(entry.expiration) else { return nil }
        let reservation = undecoded.reserve(entry.data.count, for: waiter.priority)
        let span = begin(.query, of: resolved, for: waiter, component: typeName(of: cache))
        return taken(entry, reservation, key, resolved, span.end(byteCount: entry.data.count))
    }

    /// An entry that is read once there is room for it: here where it can be, else on the lane for that.
    private func readFromData(
        _ key: VariantKey, of cache: any ImageCache, _ resolved: ResolvedRequest, waiter: any Waiter, wasAsked: Bool
    ) async throws -> CacheRead? {
        try await lanes.readingGate.run(for: waiter) {
            switch wasAsked ? .unknown : self.immediateAnswer(of: cache, to: key, resolved, waiter: waiter) {
            case .found(let read): return read
            case .absent: return nil
            case .unknown: break
            }
            return try await self.lanes.reading.run(for: waiter, job: Job()) { _ in
                let span = self.begin(.query, of: resolved, for: waiter, component: typeName(of: cache))
                let outcome = Result { try cache.entry(for: key) }
                return self.read(outcome, span, of: cache, key, resolved, waiter: waiter)
            }
        }
    }

    /// Returns the answer of a cache, which ends the step; nil for a miss, also if the cache failed. Its share is
    /// counted before the next waiter is admitted, which looks whether there is room.
    private func read(
        _ outcome: Result<CacheEntry?, any Error>, _ span: StepSpan, of cache: any ImageCache, _ key: VariantKey,
        _ resolved: ResolvedRequest, waiter: any Waiter
    ) -> CacheRead? {
        do {
            guard let entry = try outcome.get() else {
                span.miss()
                return nil
            }
            let step = span.end(byteCount: entry.data.count)
            let reservation = undecoded.reserve(entry.data.count, for: waiter.priority)
            return taken(entry, reservation, key, resolved, step)
        } catch {
            span.stop(error)
            note(cacheError(error, stage: .query, cache), of: resolved)
            return nil
        }
    }

    /// Whether a time has come, in seconds since 1970; nil never comes.
    func hasExpired(_ expiration: Double?) -> Bool { expiration.map { $0 <= time.wallTime() } ?? false }

    /// Returns the entry that was read, unless it is an original that is longer than allowed. The length of a variant
    /// was the manager's own decision.
    private func taken(
        _ entry: CacheEntry, _ reservation: Backlog.Reservation, _ key: VariantKey, _ resolved: ResolvedRequest,
        _ step: ImageMetrics.Step
    ) -> CacheRead? {
        guard !key.isOriginal || entry.data.count <= resolved.context[.maxInputBytes] else { return nil }
        return CacheRead(entry: entry, step: step, reservation: reservation)
    }

    /// A variant's bytes as an image. What cannot be decoded is removed and has missed: it will be made again.
    private func decodedVariant(
        _ read: CacheRead, _ resolved: ResolvedRequest, waiter: any Waiter
    ) async throws -> PipelineOutput? {
        let entry = read.entry
        do {
            // The pixels were made as the request wants them before they were stored: nothing is to be done to them
            // again.
            let context = ResolvedContext(layers: [
                (.manager, [.nativeDepth, .keepsProfile, .keepsOrientation, .maxInputBytes(.max)]),
                (.request, resolved.context.settings(affecting: .storedVariants)),
            ])
            let decoded = try await decode(
                ImageBytes(entry.data), waiting: read.reservation, context: context, resolved, waiter: waiter)
            let image = decoded.image.restoring(entry.attributes)
            return PipelineOutput(
                image: image, decoded: image, original: nil, source: .disk, reservation: decoded.reservation,
                steps: [read.step, decoded.step], expiration: entry.expiration)
        } catch let error as ImageError where Self.missCodes.contains(error.code) {
            note(error, of: resolved)
            // What another request can read, with another coder or other limits, is left for it.
            if error.code == .badData, let cache = resolved.cache {
                remove(entry.data, of: resolved.variant, from: cache, resolved)
            }
            return nil
        }
    }

    /// The codes of errors that make a variant on disk count as absent.
    private static let missCodes: Set<ImageError.Code> = [.badData, .unknownFormat, .limitExceeded]

    /// Begins to remove bytes that are of no use from the disk tier. Nobody waits for that: what is stored in their
    /// place comes after it, and a read meanwhile finds nothing.
    ///
    /// The entry may be another one by then, made anew by a request that read the same bytes: that stays.
    func remove(_ damaged: Data, of key: VariantKey, from cache: any ImageCache, _ resolved: ResolvedRequest) {
        pendingStores.beginRemoval(StoreKey(key, in: cache)) { waiter in
            try await self.telling(of: cache, resolved) {
                try await self.lanes.writing.run(for: waiter, job: Job()) { _ in
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
