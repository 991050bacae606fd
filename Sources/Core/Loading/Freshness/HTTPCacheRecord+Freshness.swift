extension HTTPCacheRecord {
    /// The statuses of responses that may be stored without explicit permission and may have an estimated lifetime.
    /// Source: RFC 9110, section 15.1.
    private static let cacheableStatuses: Set = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The estimated lifetime of a response that does not state one, as a fraction of the age that the image had when
    /// the server sent it.
    private static let heuristicPart = 0.1
    /// The maximum estimated lifetime, in seconds: one day.
    private static let heuristicLimit = 86_400.0

    /// Whether the server forbids storing the response.
    package var forbidsStoring: Bool { control?.forbidsStoring == true }

    /// Whether the response may be stored and used for later requests. Source: RFC 9111, section 3.
    var isStorable: Bool {
        guard !forbidsStoring, vary != .unknown else { return false }
        return Self.cacheableStatuses.contains(status) || control?.allowsStoring == true || control?.maxAge != nil
            || expires != nil
    }

    /// The time, in seconds, for which the response is fresh after the server wrote it; 0 if it is never fresh. Source:
    /// RFC 9111, sections 4.2.1 and 4.2.2.
    var freshnessLifetime: Double {
        if control?.requiresValidation == true || forbidsStoring { return 0 }
        if let maxAge = control?.maxAge { return Double(maxAge) }
        if let expires { return min(max(0, expires - date), Double(Int.longestDeltaSeconds)) }
        guard Self.cacheableStatuses.contains(status) || control?.allowsStoring == true, let lastModified else {
            return 0
        }
        return min(max(0, Self.heuristicPart * (date - lastModified)), Self.heuristicLimit)
    }

    /// Returns the age of the response, in seconds. Source: RFC 9111, section 4.2.3.
    ///
    /// If the clock has been set back, the time since the receipt is negative. Its absolute value counts, so that the
    /// response does not stay fresh too long.
    /// - Parameter now: The current time, in seconds since 1970.
    func age(at now: Double) -> Double { initialAge + abs(now - receivedAt) }

    /// Returns whether the response is fresh or stale. Source: RFC 9111, section 4.2.
    /// - Parameter now: The current time, in seconds since 1970.
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

    /// Returns whether `Vary` allows the response to be used for a request. Source: RFC 9111, section 4.1.
    /// - Parameter requestField: Returns the value of a request field, given its name in lower case; nil if there is
    ///   none.
    func matches(_ requestField: (_ name: String) -> String?) -> Bool { vary?.matches(requestField) ?? true }

    /// Returns the record with the values of a response that confirms it. Source: RFC 9111, section 4.3.4.
    ///
    /// A confirmation with another strong entity tag changes nothing.
    /// - Parameters:
    ///   - confirmation: The record of a response with the status 304.
    ///   - requestField: Returns the value of a field of the request that the confirmation answers. Called only if the
    ///     confirmation has no `Vary`.
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
