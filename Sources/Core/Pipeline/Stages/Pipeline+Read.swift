/// The answer that a cache gives to a lookup without waiting for a device.
enum ImmediateAnswer<Found: Sendable>: Sendable {
    case found(Found)
    case absent
    /// The cache cannot tell without waiting whether it has the entry.
    case unknown

    /// Returns the answer with its value transformed by `body`.
    func map<Made>(_ body: (Found) -> Made) -> ImmediateAnswer<Made> {
        switch self {
        case .found(let found): .found(body(found))
        case .absent: .absent
        case .unknown: .unknown
        }
    }
}

extension Pipeline {
    /// Returns an entry of a cache; nil on a miss or if the cache fails. Concurrent requests share slow reads.
    /// - Parameter wasAsked: Whether the cache was just asked, and could not answer without waiting.
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

    /// Reads an entry on the current thread if the cache can answer without waiting. Returns nil if the cache was not
    /// asked.
    ///
    /// Other requests do not share the read, because sharing costs more than reading again.
    func immediateRead(
        _ key: VariantKey, from cache: any ImageCache, _ work: RequestWork
    ) -> ImmediateAnswer<CacheRead>? {
        let place = StoreKey(key, in: cache)
        guard !Task.isCancelled, !pendingStores.concern(place) else { return nil }
        let answer = lanes.readingGate.runNow(for: work.demand) {
            immediateAnswer(of: cache, to: key, work)
        }
        // A store that has begun meanwhile is not on disk yet.
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

    /// Returns the entry that is being stored, or reads the entry from the cache. After a miss, checks again for a
    /// store, which may have begun during the read.
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

    /// Reads an entry when `readingGate` permits, on the reading lane if the cache cannot answer without waiting.
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

    /// Ends the step of a read, and returns the entry with its reserved memory; nil on a miss, or if the cache failed.
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
            span.fail(error)
            noteIssue(.thrown(by: cache, error, stage: .query), of: work.request)
            return nil
        }
    }

    /// Returns the entry that was read; nil if it is an original longer than `maxInputBytes`. The limit does not apply
    /// to variants, which do not come from the source.
    private func taken(
        _ entry: CacheEntry, _ reservation: Backlog.Reservation, _ key: VariantKey, _ request: ResolvedRequest,
        _ step: ImageMetrics.Step
    ) -> CacheRead? {
        guard !key.isOriginal || entry.data.count <= request.context[.maxInputBytes] else { return nil }
        return CacheRead(entry: entry, step: step, reservation: reservation)
    }
}
