#if PNG
/// The duration of a frame in APNG: a fraction of a second whose numerator and denominator have 16 bits each.
struct PNGDelay: Equatable {
    let numerator: UInt16
    let denominator: UInt16

    /// Creates the fraction that equals or approximates a duration: the last convergent of the duration's continued
    /// fraction whose numerator and denominator fit into 16 bits.
    ///
    /// If a duration was computed from a fraction in a file, and the denominator in the file has at most four digits,
    /// the new fraction equals the one in the file. A negative duration becomes 0, and a duration of more than 65,535
    /// seconds becomes 65,535 seconds.
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
        // The search ends at the last convergent that fits into 16 bits.
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
