#if PNG
/// The duration of a frame, in seconds, as APNG has it: a fraction of two numbers of 16 bits.
struct PNGDelay: Equatable {
    let numerator: UInt16
    let denominator: UInt16

    /// The nearest of the fractions that a duration's continued fraction gives: the one that a file has said, though it
    /// was rounded to nanoseconds since, as long as its denominator has no more than four digits. 0 for less than none,
    /// and 65,535 seconds for more.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else {
            (numerator, denominator) = (0, 1)
            return
        }
        let most = Int64(UInt16.max)
        guard seconds <= most else {
            (numerator, denominator) = (.max, 1)
            return
        }
        // The last convergent of the continued fraction that there is room for.
        var last: (numerator: Int64, denominator: Int64) = (1, 0)
        var best: (numerator: Int64, denominator: Int64) = (seconds, 1)
        var (whole, rest): (Int64, Int64) = (1_000_000_000_000_000_000, attoseconds)
        while rest > 0, whole / rest <= most {
            let term = whole / rest
            let next = (
                numerator: term * best.numerator + last.numerator,
                denominator: term * best.denominator + last.denominator
            )
            guard next.numerator <= most, next.denominator <= most else { break }
            (last, best) = (best, next)
            (whole, rest) = (rest, whole % rest)
        }
        (numerator, denominator) = (UInt16(best.numerator), UInt16(best.denominator))
    }
}
#endif
