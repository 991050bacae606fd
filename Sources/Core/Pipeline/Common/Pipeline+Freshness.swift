/// The HTTP freshness of an original, for requests that respect it.
extension Pipeline {
    /// The freshness of an original, if the request respects it.
    func record(of original: Original, _ request: ResolvedRequest) -> HTTPCacheRecord? {
        request.context[.httpCaching] == .respect ? original.head?.caching : nil
    }

    /// Whether, and how, an original that a cache has may be used; nil if it may be without a word.
    func staleness(of original: Original, _ request: ResolvedRequest) -> HTTPFreshness? {
        guard original.isFromCache, let record = record(of: original, request) else { return nil }
        // That of another request may be another picture: not even a source that fails makes it this one's.
        guard record.matches({ requestField($0, of: request) }) else {
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
    func validators(of copy: Original?, _ request: ResolvedRequest) -> Validators? {
        guard let copy, let validators = copy.head?.validators else { return nil }
        let isOurs = record(of: copy, request)?.matches { requestField($0, of: request) } != false
        guard !isOurs else { return validators }
        return validators.entityTag.map { Validators(entityTag: $0) }
    }

    /// Whether an image that a cache has may answer a request, as far as it goes by which fields of another request it
    /// was chosen: where those would say something else now, it is to be asked for again.
    func mayAnswer(_ request: ResolvedRequest, chosenBy vary: Vary?) -> Bool {
        guard let vary, request.context[.httpCaching] == .respect, !request.context[.fromCacheOnly] else {
            return true
        }
        return vary.matches { requestField($0, of: request) }
    }

    /// Returns the request fields by which an original was chosen, if they matter to the request.
    func vary(of original: Original, _ request: ResolvedRequest) -> Vary? {
        if let image = original.rememberedImage { return image.attributes.vary }
        return record(of: original, request)?.vary
    }

    /// The value of a field that would be sent with a request; nil if none would be, and where nobody would send it.
    func requestField(_ name: String, of request: ResolvedRequest) -> String? {
        let loadRequest = LoadRequest(url: request.url, context: request.context)
        return (try? loader(for: loadRequest))?.requestField(name, for: loadRequest)
    }

    /// Whether an original, and what is made of it, may be kept on disk.
    func isStorable(_ original: Original, _ request: ResolvedRequest) -> Bool {
        original.isStorable && request.version != .absent && record(of: original, request)?.isStorable != false
    }
}
