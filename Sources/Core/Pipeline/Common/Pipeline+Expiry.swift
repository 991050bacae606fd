/// The expiration of cached entries, and the version of their original.
extension Pipeline {
    /// Returns whether a time, in seconds since 1970, has passed; false for nil, which means never.
    func hasExpired(_ expiration: Double?) -> Bool { expiration.map { $0 <= time.wallTime() } ?? false }

    /// Returns the expiration of images made from an original, in seconds since 1970; nil for never. The images expire
    /// when the original becomes stale. The original is kept, so that it can be revalidated.
    func expiration(of original: Original, _ request: ResolvedRequest) -> Double? {
        guard request.version != .absent else { return time.wallTime() }
        guard let record = record(of: original, request) else { return original.expiration }
        let now = time.wallTime()
        let end = record.isStorable ? now + record.freshnessLifetime - record.age(at: now) : now
        return min(end, original.expiration ?? end)
    }

    /// Returns the time to live that the request sets, but at most the time until `expiration`; nil for no limit.
    /// - Parameter expiration: A time in seconds since 1970; nil for never.
    func lifetime(within expiration: Double?, _ request: ResolvedRequest) -> Duration? {
        let own = request.context[.timeToLive]
        // A longer time makes no difference, and could exceed the range of `Duration`.
        guard let rest = expiration.map({ $0 - time.wallTime() }), rest < 1e12 else { return own }
        let bound = Duration.seconds(max(rest, 0))
        return own.map { min($0, bound) } ?? bound
    }

    /// Returns the version of an original; nil if it cannot be determined or if no waiter is left. A slow computation
    /// runs on the ``Lanes/inspecting`` lane.
    func version(of original: Original, for demand: Demand) async -> String? {
        guard original.takesTimeToTellVersion else { return original.version }
        return try? await lanes.inspecting.run(for: demand, job: Job()) { _ in original.version }
    }
}
