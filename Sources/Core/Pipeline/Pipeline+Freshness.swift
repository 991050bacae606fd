/// The HTTP freshness of an original, for requests that respect it.
extension Pipeline {
    private func record(of original: Original, _ resolution: Resolution) -> HTTPCacheRecord? {
        resolution.context[.httpCaching] == .respect ? original.head?.caching : nil
    }

    /// Whether, and how, an original that a cache has may be used; nil where it may be without a word.
    func staleness(of original: Original, _ resolution: Resolution) -> HTTPFreshness? {
        guard original.isFromCache, let record = record(of: original, resolution) else { return nil }
        // That of another request may be another picture: not even a source that fails makes it this one's.
        guard record.matches({ requestField($0, of: resolution) }) else {
            return .stale(whileRevalidating: 0, ifError: 0)
        }
        let freshness = record.state(at: time.wallTime())
        return freshness == .fresh ? nil : freshness
    }

    /// Returns the validators for asking the source whether a cached copy is still valid; nil if the source has to send
    /// it anyway.
    ///
    /// Of one that was chosen for another request the date says nothing: what was chosen for this one may be as old or
    /// older. Its tag is no other picture's. Source: RFC 9110, section 13.1.3, and RFC 9111, section 4.1.
    func validators(of copy: Original?, _ resolution: Resolution) -> Validators? {
        guard let copy, let validators = copy.head?.validators else { return nil }
        let isOurs = record(of: copy, resolution)?.matches { requestField($0, of: resolution) } != false
        guard !isOurs else { return validators }
        return validators.entityTag.map { Validators(entityTag: $0) }
    }

    /// Whether an image that a cache has may answer a request, as far as it goes by which fields of another request it
    /// was chosen: where those would say something else now, it is to be asked for again.
    func mayAnswer(_ resolution: Resolution, chosenBy vary: Vary?) -> Bool {
        guard let vary, resolution.context[.httpCaching] == .respect, !resolution.context[.fromCacheOnly] else {
            return true
        }
        return vary.matches { requestField($0, of: resolution) }
    }

    /// Returns the request fields by which an original was chosen, if they matter to the request.
    func vary(of original: Original, _ resolution: Resolution) -> Vary? {
        if let image = original.rememberedImage { return image.attributes.vary }
        return record(of: original, resolution)?.vary
    }

    /// The value of a field that would be sent with a request; nil where none would be, and where nobody would send it.
    func requestField(_ name: String, of resolution: Resolution) -> String? {
        let request = LoadRequest(url: resolution.url, context: resolution.context)
        return (try? loader(for: request))?.requestField(name, for: request)
    }

    /// Whether an original, and what is made of it, may be kept on disk.
    func isStorable(_ original: Original, _ resolution: Resolution) -> Bool {
        original.isStorable && resolution.version != .absent && record(of: original, resolution)?.isStorable != false
    }

    /// Returns the expiration of images made of an original, in seconds since 1970; nil for never. What was made of it
    /// goes when it is no longer fresh; it itself stays, to be confirmed.
    func expiration(of original: Original, _ resolution: Resolution) -> Double? {
        guard resolution.version != .absent else { return time.wallTime() }
        guard let record = record(of: original, resolution) else { return original.expiration }
        let now = time.wallTime()
        let end = record.isStorable ? now + record.freshnessLifetime - record.age(at: now) : now
        return min(end, original.expiration ?? end)
    }

    /// The original where a cache has one that is stale.
    func revalidated(
        _ kept: Original, _ staleness: HTTPFreshness, _ key: OriginalKey, _ resolution: Resolution,
        interest: any Interest
    ) async throws -> Original {
        guard case .stale(let whileRevalidating, let ifError) = staleness else { return kept }
        if whileRevalidating > 0 {
            beginRefreshing(resolution)
            return kept
        }
        do {
            return try await transferred(key, unlessHolds: kept, resolution, interest: interest)
        } catch let error as ImageError where ifError > 0 && error.isTransient && !Task.isCancelled {
            note(error, of: resolution)
            return kept
        }
    }
}
