/// When cached entries expire, and the version of the original that they were made of.
extension Pipeline {
    /// Whether a time has come, in seconds since 1970; nil never comes.
    func hasExpired(_ expiration: Double?) -> Bool { expiration.map { $0 <= time.wallTime() } ?? false }

    /// Returns the expiration of images made of an original, in seconds since 1970; nil for never. What was made of it
    /// goes when it is no longer fresh; it itself stays, to be confirmed.
    func expiration(of original: Original, _ request: ResolvedRequest) -> Double? {
        guard request.version != .absent else { return time.wallTime() }
        guard let record = record(of: original, request) else { return original.expiration }
        let now = time.wallTime()
        let end = record.isStorable ? now + record.freshnessLifetime - record.age(at: now) : now
        return min(end, original.expiration ?? end)
    }

    /// Returns the time to live of what is stored now, which is that of the request, and no longer than that of what it
    /// was made of.
    /// - Parameter expiration: When that expires, in seconds since 1970; nil for never.
    func lifetime(within expiration: Double?, _ request: ResolvedRequest) -> Duration? {
        let own = request.context[.timeToLive]
        // Longer than any process runs, and than a `Duration` can be.
        guard let rest = expiration.map({ $0 - time.wallTime() }), rest < 1e12 else { return own }
        let bound = Duration.seconds(max(rest, 0))
        return own.map { min($0, bound) } ?? bound
    }

    /// Returns the version of an original, computed on a thread that may block if necessary; nil if nothing tells it,
    /// or no waiter is left.
    func version(of original: Original, for demand: Demand) async -> String? {
        guard original.takesTimeToTellVersion else { return original.version }
        return try? await lanes.inspecting.run(for: demand, job: Job()) { _ in original.version }
    }
}
