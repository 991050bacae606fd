#if HTTP
import Calotype

extension Duration {
    /// Creates the duration of a `Retry-After`, which has seconds or a date; nil for anything else. Source: RFC 9110,
    /// section 10.2.3.
    /// - Parameters:
    ///   - date: The date of the answer, by the server's clock: a date to come back at is by the same.
    ///   - now: Seconds since 1970, for an answer without a date.
    init?(retryAfter value: String, date: String?, now: Double) {
        if let seconds = Int(deltaSeconds: value) {
            self = .seconds(seconds)
        } else if let end = HTTPDate(value, at: now)?.seconds {
            let begin = date.flatMap { HTTPDate($0, at: now)?.seconds } ?? now
            self = .seconds(min(max(0, (end - begin).rounded(.up)), Double(Int.longestDeltaSeconds)))
        } else {
            return nil
        }
    }
}
#endif
