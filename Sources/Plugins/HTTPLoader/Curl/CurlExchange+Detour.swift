#if HTTP
import Calotype

extension CurlExchange {
    /// A redirect to another origin, from when it is known until the transfer's turn there has come.
    struct Detour {
        let address: HTTPAddress
        let isForeign: Bool
        let redirectCount: Int
        /// The time that the transfer has taken so far, apart from its waits for a turn.
        let elapsed: Duration
    }

    /// Returns how the transfer goes on at another address, after a wait in which it has neither place nor handle.
    func detour(to next: HTTPAddress) -> Detour {
        Detour(
            address: next, isForeign: isForeign || next.origin != address.origin, redirectCount: redirectCount + 1,
            elapsed: begin.duration(to: .now))
    }

    /// Takes up a redirect after its wait, which is not part of the time that the transfer may take.
    ///
    /// Throws `timedOut` where no time is left.
    func take(_ detour: Detour, at now: ContinuousClock.Instant) throws(ImageError) {
        (address, isForeign, redirectCount) = (detour.address, detour.isForeign, detour.redirectCount)
        (begin, hopBegin) = (now - detour.elapsed, now)
        timeLeft = transfer.request.transferTimeout - Int(detour.elapsed.milliseconds)
        guard timeLeft > 0 else { throw tookTooLong }
    }
}
#endif
