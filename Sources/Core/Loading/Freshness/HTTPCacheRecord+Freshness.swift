extension HTTPCacheRecord {
    /// The statuses of responses that may be stored, and be fresh for a while, without an explicit statement. Source:
    /// RFC 9110, section 15.1.
    private static let cacheableStatuses: Set = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The fraction of the time since the last change for which a response without an explicit lifetime is fresh.
    /// `heuristicLimit` is the maximum, in seconds.
    private static let heuristicPart = 0.1
    private static let heuristicLimit = 86_400.0

    /// Whether the server forbids storing the response.
    package var forbidsStoring: Bool { control?.forbidsStoring == true }

    /// Whether the response may be stored, to answer other requests. Source: RFC 9111, section 3.
    var isStorable: Bool {
        guard !forbidsStoring, vary != .unknown else { return false }
        return Self.cacheableStatuses.contains(status) || control?.allowsStoring == true || control?.maxAge != nil
            || expires != nil
    }

    /// The time in seconds for which the response is fresh, from when the server wrote it. Source: RFC 9111, sections
    /// 4.2.1 and 4.2.2.
    var freshnessLifetime: Double {
        if control?.requiresValidation == true || forbidsStoring { return 0 }
        if let maxAge = control?.maxAge { return Double(maxAge) }
        if let expires { return min(max(0, expires - date), Double(Int.longestDeltaSeconds)) }
        guard Self.cacheableStatuses.contains(status) || control?.allowsStoring == true, let lastModified else {
            return 0
        }
        return min(max(0, Self.heuristicPart * (date - lastModified)), Self.heuristicLimit)
    }

    /// Returns the age in seconds. Source: RFC 9111, section 4.2.3.
    ///
    /// If the clock was set back, the difference counts as elapsed time: otherwise a response received at a later clock
    /// time would stay new until then.
    func age(at now: Double) -> Double { initialAge + abs(now - receivedAt) }

    /// Returns the freshness of the response. Source: RFC 9111, section 4.2.
    func state(at now: Double) -> HTTPFreshness {
        let staleness = age(at: now) - freshnessLifetime
        if staleness < 0 { return .fresh }
        let forbidsStaleUse =
            control?.requiresValidation == true || control?.forbidsStaleUse == true || forbidsStoring
        func rest(of span: Int?) -> Double {
            forbidsStaleUse ? 0 : max(0, Double(span ?? 0) - staleness)
        }
        return .stale(
            whileRevalidating: rest(of: control?.staleWhileRevalidate), ifError: rest(of: control?.staleIfError))
    }

    /// Returns whether a request with these fields would have received the same response. Source: RFC 9111, section
    /// 4.1.
    /// - Parameter requestField: Returns the value of the request's field with a lower-case name; nil if it has none.
    func matches(_ requestField: (_ name: String) -> String?) -> Bool { vary?.matches(requestField) ?? true }

    /// Returns the record after the server has confirmed the response: new values replace the old ones. Returns the
    /// record unchanged if the server confirms another version, which it should not. Source: RFC 9111, section 4.3.4.
    /// - Parameters:
    ///   - confirmation: The record of a response with the status 304.
    ///   - requestField: Returns the value of a field of the confirmed request. From now on the response counts as
    ///     chosen for this request.
    func updated(
        by confirmation: HTTPCacheRecord, requestField: (_ name: String) -> String?
    ) -> HTTPCacheRecord {
        guard confirmation.strongTag == nil || confirmation.strongTag == strongTag else { return self }
        var record = self
        (record.receivedAt, record.initialAge) = (confirmation.receivedAt, confirmation.initialAge)
        record.date = confirmation.date
        record.expires = confirmation.expires ?? expires
        record.lastModified = confirmation.lastModified ?? lastModified
        record.control = confirmation.control ?? control
        record.vary = confirmation.vary ?? vary?.chosen(by: requestField)
        return record
    }
}
