extension HTTPCacheRecord {
    /// The statuses of responses that may be stored without explicit permission and may have an estimated lifetime.
    /// Source: RFC 9110, section 15.1.
    private static let cacheableStatuses: Set = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// The factor for estimating the lifetime of a response that does not state one. It is multiplied by the time from
    /// the last change of the image to the response.
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

    /// The lifetime of the response: the time, in seconds, for which it is fresh after the server wrote it. 0 if it is
    /// never fresh. Source: RFC 9111, sections 4.2.1 and 4.2.2.
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
    /// If the clock has been set back to a time before the receipt, the difference counts as elapsed time. Otherwise,
    /// the response would stay fresh until the clock reaches the time of receipt again.
    /// - Parameter now: The current time, in seconds since 1970.
    func age(at now: Double) -> Double { initialAge + abs(now - receivedAt) }

    /// Returns whether the response is fresh or stale, and how it may be used if it is stale. Source: RFC 9111, section
    /// 4.2.
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

    /// Returns whether the response may be used for a request. The request must have the same values of the `Vary`
    /// fields as the request that the server answered. Source: RFC 9111, section 4.1.
    /// - Parameter requestField: A closure that returns the value of the named field of the request, or nil if the
    ///   request does not have the field. The name is in lower case.
    func matches(_ requestField: (_ name: String) -> String?) -> Bool { vary?.matches(requestField) ?? true }

    /// Returns the record after the server has confirmed that the response is still valid. The values in the
    /// confirmation replace those in the record. Source: RFC 9111, section 4.3.4.
    ///
    /// Returns the record unchanged if the confirmation has a strong entity tag that differs from that of the record.
    /// Servers should not send such a confirmation.
    /// - Parameters:
    ///   - confirmation: The record of a response with the status 304.
    ///   - requestField: A closure that returns the value of the named field of the request that the server answered
    ///     with the confirmation. If the confirmation has no `Vary`, the new record keeps the names of the `Vary`
    ///     fields and takes their values from this closure.
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
