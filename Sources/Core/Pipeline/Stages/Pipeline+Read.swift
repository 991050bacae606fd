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
    /// Returns an entry of a cache; nil on a miss, also if the cache fails. If the cache has to be waited for, it is
    /// read once for all concurrent requests, whatever they make of it.
    /// - Parameter wasAsked: Whether the cache was just asked what it can say without waiting.
    func read(
        _ key: VariantKey, from cache: any ImageCache, _ work: RequestWork,
        wasAsked: Bool = false
    ) async throws -> CacheRead? {
        let isOnPool = ActorIsolation.isNone(#isolation)
        let immediate =
            isOnPool && !wasAsked ? immediateRead(key, from: cache, work) : nil
        switch immediate {
        case .found(let read): return read
        case .absent: return nil
        case .unknown, nil: break
        }
        return try await entries.value(
            for: EntryKey(key, in: cache, after: changes), work,
            onJoin: joining(.query, work)
        ) { work in
            try await self.readAlone(
                key, from: cache, work, wasAsked: wasAsked || immediate != nil)
        }
    }

    /// An entry as a cache has it, read here, on a thread of the pool; nil if the cache was not asked: since
    /// something of it is being stored or removed, there is no room for it, or no waiter is left. Shared with
    /// nobody: that would cost more than to read it again.
    func immediateRead(
        _ key: VariantKey, from cache: any ImageCache, _ work: RequestWork
    ) -> ImmediateAnswer<CacheRead>? {
        let place = StoreKey(key, in: cache)
        guard !Task.isCancelled, !pendingStores.concern(place) else { return nil }
        let answer = lanes.readingGate.runNow(for: work.demand) {
            immediateAnswer(of: cache, to: key, work)
        }
        // What has begun to be stored meanwhile is not there yet.
        if case .absent? = answer, pendingStores.concern(place) { return .unknown }
        return answer
    }

    /// Returns the answer that a cache can give about an entry without waiting.
    private func immediateAnswer(
        of cache: any ImageCache, to key: VariantKey, _ work: RequestWork
    ) -> ImmediateAnswer<CacheRead> {
        let start = time.now()
        let outcome = Result { try cache.immediateEntry(for: key) }
        if case .success(.unknown) = outcome { return .unknown }
        let span = begin(
            .query, of: work, component: typeName(of: cache), after: time.now() - start)
        return read(outcome.map(\.entry), span, of: cache, key, work)
            .map { .found($0) } ?? .absent
    }

    /// An entry that is being stored, or else one that is read. Where none is, one that has begun to be stored since.
    private func readAlone(
        _ key: VariantKey, from cache: any ImageCache, _ work: RequestWork, wasAsked: Bool
    ) async throws -> CacheRead? {
        let place = StoreKey(key, in: cache)
        var prospect = await pendingStores.prospect(of: place, for: work.waiter)
        if prospect == nil {
            let read = try await readFromData(key, of: cache, work, wasAsked: wasAsked)
            if let read { return read }
            prospect = await pendingStores.prospect(of: place, for: work.waiter)
        }
        guard case .entry(let entry)? = prospect, !hasExpired(entry.expiration) else { return nil }
        let reservation = undecoded.reserve(entry.data.count, for: work.demand.priority)
        let span = begin(.query, of: work, component: typeName(of: cache))
        return taken(entry, reservation, key, work.request, span.end(byteCount: entry.data.count))
    }

    /// An entry that is read once there is room for it: here where it can be, else on the lane for that.
    private func readFromData(
        _ key: VariantKey, of cache: any ImageCache, _ work: RequestWork, wasAsked: Bool
    ) async throws -> CacheRead? {
        try await lanes.readingGate.run(for: work.demand) {
            switch wasAsked ? .unknown : self.immediateAnswer(of: cache, to: key, work) {
            case .found(let read): return read
            case .absent: return nil
            case .unknown: break
            }
            return try await self.lanes.reading.run(for: work.demand, job: Job()) { _ in
                let span = self.begin(.query, of: work, component: typeName(of: cache))
                let outcome = Result { try cache.entry(for: key) }
                return self.read(outcome, span, of: cache, key, work)
            }
        }
    }

    /// Returns the answer of a cache, which ends the step; nil for a miss, also if the cache failed. Its share is
    /// counted before the next waiter is admitted, which looks whether there is room.
    private func read(
        _ outcome: Result<CacheEntry?, any Error>, _ span: StepSpan, of cache: any ImageCache, _ key: VariantKey,
        _ work: RequestWork
    ) -> CacheRead? {
        do {
            guard let entry = try outcome.get() else {
                span.miss()
                return nil
            }
            let step = span.end(byteCount: entry.data.count)
            let reservation = undecoded.reserve(entry.data.count, for: work.demand.priority)
            return taken(entry, reservation, key, work.request, step)
        } catch {
            span.stop(error)
            note(cacheError(error, stage: .query, cache), of: work.request)
            return nil
        }
    }

    /// Returns the entry that was read, unless it is an original that is longer than allowed. The length of a variant
    /// was the manager's own decision.
    private func taken(
        _ entry: CacheEntry, _ reservation: Backlog.Reservation, _ key: VariantKey, _ request: ResolvedRequest,
        _ step: ImageMetrics.Step
    ) -> CacheRead? {
        guard !key.isOriginal || entry.data.count <= request.context[.maxInputBytes] else { return nil }
        return CacheRead(entry: entry, step: step, reservation: reservation)
    }
}
