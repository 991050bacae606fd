#if HTTP
import Calotype

extension Duration {
    /// Creates a duration from the value of a `Retry-After` header, which is a number of seconds or a date. Returns nil
    /// for any other value. Source: RFC 9110, section 10.2.3.
    ///
    /// If the value is a date, the duration is measured from `date`, the value of the `Date` header. If `date` is nil
    /// or invalid, the duration is measured from `now`, a time in seconds since 1970.
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
