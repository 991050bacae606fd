#if HTTP
import Calotype

extension CurlExchange {
    /// A redirect to another origin, and the state of its transfer while the transfer waits in the queue of that
    /// origin.
    struct Detour {
        let address: HTTPAddress
        let isForeign: Bool
        let redirectCount: Int
        /// The time that the transfer has taken so far, without its waits in the queues.
        let elapsed: Duration
    }

    /// Returns the redirect and the state of the transfer, to be kept while the transfer waits in the queue of the new
    /// origin. During the wait, the transfer has no handle and does not count as a load in progress.
    func detour(to next: HTTPAddress) -> Detour {
        Detour(
            address: next, isForeign: isForeign || next.origin != address.origin, redirectCount: redirectCount + 1,
            elapsed: begin.duration(to: .now))
    }

    /// Continues with a redirect after the transfer has waited in the queue. The wait does not count toward the
    /// transfer's time limit.
    ///
    /// Throws `timedOut` if the time limit has been reached.
    func take(_ detour: Detour, at now: ContinuousClock.Instant) throws(ImageError) {
        (address, isForeign, redirectCount) = (detour.address, detour.isForeign, detour.redirectCount)
        (begin, hopBegin) = (now - detour.elapsed, now)
        timeLeft = transfer.request.transferTimeout - Int(detour.elapsed.milliseconds)
        guard timeLeft > 0 else { throw tookTooLong }
    }
}
#endif
