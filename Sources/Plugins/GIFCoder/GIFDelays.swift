#if GIF
import Calotype

/// Durations in hundredths of a second, rounded as a whole, so that frames do not get longer together.
struct GIFDelays {
    private var time = Duration.zero
    private var written = 0

    /// The next one: at least two, since browsers take less for ten.
    mutating func next(_ duration: Duration) -> Int {
        time += duration
        let end = Int((time / .milliseconds(10)).rounded())
        let delay = min(max(end - written, 2), 65_535)
        written += delay
        return delay
    }
}
#endif
