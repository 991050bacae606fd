/// The HTTP freshness of originals, for requests that follow HTTP's rules for caches.
extension Pipeline {
    /// Returns the HTTP cache record of an original; nil if there is none, or if the request ignores HTTP caching.
    func record(of original: Original, _ request: ResolvedRequest) -> HTTPCacheRecord? {
        request.context[.httpCaching] == .respect ? original.head?.caching : nil
    }

    /// Returns the staleness of a cached original; nil if it may be used without revalidation.
    func staleness(of original: Original, _ request: ResolvedRequest) -> HTTPFreshness? {
        guard original.isFromCache, let record = record(of: original, request) else { return nil }
        // An original chosen for another request may be another picture. It must not be used, even if the source fails.
        guard record.matches({ requestField($0, of: request) }) else {
            return .stale(whileRevalidating: 0, ifError: 0)
        }
        let freshness = record.state(at: time.wallTime())
        return freshness == .fresh ? nil : freshness
    }

    /// Returns the validators for revalidating a cached copy; nil if the source has to send the original in any case.
    /// Source: RFC 9110, section 13.1.3, and RFC 9111, section 4.1.
    ///
    /// If the server chose the copy for other request fields (`Vary`), returns only the entity tag. The date proves
    /// nothing in this case: the picture for this request may have the same date or an earlier one.
    func validators(of copy: Original?, _ request: ResolvedRequest) -> Validators? {
        guard let copy, let validators = copy.head?.validators else { return nil }
        let isOurs = record(of: copy, request)?.matches { requestField($0, of: request) } != false
        guard !isOurs else { return validators }
        return validators.entityTag.map { Validators(entityTag: $0) }
    }

    /// Returns whether the server would have chosen a cached image for this request too (`Vary`). Always true for a
    /// request that ignores HTTP caching, or uses only caches.
    func mayAnswer(_ request: ResolvedRequest, chosenBy vary: Vary?) -> Bool {
        guard let vary, request.context[.httpCaching] == .respect, !request.context[.fromCacheOnly] else {
            return true
        }
        return vary.matches { requestField($0, of: request) }
    }

    /// Returns the request fields by which the server chose an original, with their values; nil if there are none.
    func vary(of original: Original, _ request: ResolvedRequest) -> Vary? {
        if let image = original.rememberedImage { return image.attributes.vary }
        return record(of: original, request)?.vary
    }

    /// Returns the value of a field that the loader would send with a request; nil if it would not send the field.
    func requestField(_ name: String, of request: ResolvedRequest) -> String? {
        let loadRequest = LoadRequest(url: request.url, context: request.context)
        return (try? loader(for: loadRequest))?.requestField(name, for: loadRequest)
    }

    /// Returns whether an original, and images made from it, may be stored on disk.
    func isStorable(_ original: Original, _ request: ResolvedRequest) -> Bool {
        original.isStorable && request.version != .absent && record(of: original, request)?.isStorable != false
    }
}
