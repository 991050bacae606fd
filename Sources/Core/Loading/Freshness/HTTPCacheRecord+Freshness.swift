extension HTTPCacheRecord {
    /// Statuses that may be kept, and be fresh for a while, though nothing says so. Source: RFC 9110, section 15.1.
    private static let cacheableStatuses: Set = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The part of the time since the last change for which an answer is fresh that does not say for how long, and the
    /// most of it.
    private static let heuristicPart = 0.1
    private static let heuristicLimit = 86_400.0

    /// Whether the server says that it must not be kept.
    package var forbidsStoring: Bool { control?.forbidsStoring == true }

    /// Whether it may be kept, to answer other requests. Source: RFC 9111, section 3.
    var isStorable: Bool {
        guard !forbidsStoring, vary != .unknown else { return false }
        return Self.cacheableStatuses.contains(status) || control?.allowsStoring == true || control?.maxAge != nil
            || expires != nil
    }

    /// The time in seconds for which the answer is fresh, from when the server wrote it. Source: RFC 9111, sections
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
    /// A clock that was put back counts as one that went on as far: else what was received in a future that never was
    /// would be new until then.
    func age(at now: Double) -> Double { initialAge + abs(now - receivedAt) }

    /// Returns the state of the answer. Source: RFC 9111, section 4.2.
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

    /// Whether a request with these fields would have been given the same answer. Source: RFC 9111, section 4.1.
    /// - Parameter requestField: The value of the request's field of a name, in lower case; nil if it has none.
    func matches(_ requestField: (_ name: String) -> String?) -> Bool { vary?.matches(requestField) ?? true }

    /// The record after the server has confirmed the answer: what it says anew takes the place of what it said before.
    /// The same where it confirms another version, which a server should not. Source: RFC 9111, section 4.3.4.
    /// - Parameters:
    ///   - confirmation: The record of an answer of the status 304.
    ///   - requestField: The value of a field of the request that was answered so: from now on the answer is that to
    ///     this one, whichever it was chosen for.
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
