#if HTTP
import Calotype

extension Duration {
    /// Creates the duration of a `Retry-After` header, which contains seconds or a date; nil for any other value.
    /// Source: RFC 9110, section 10.2.3.
    /// - Parameters:
    ///   - value: The value of the header.
    ///   - date: The date of the response by the server's clock, to which a date in the header refers as well.
    ///   - now: The current time in seconds since 1970, for a response without a date.
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
