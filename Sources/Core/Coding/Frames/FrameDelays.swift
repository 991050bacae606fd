/// A converter of frame durations to whole units of a format. Rounding errors are carried forward, so that the total
/// duration is kept.
package struct FrameDelays {
    private let unit: Duration
    private let bounds: ClosedRange<Int>
    /// The rounding error so far, as a multiple of `unit`.
    private var rest = 0.0

    /// Creates a converter.
    /// - Parameters:
    ///   - unit: The unit in which the format stores delays.
    ///   - bounds: The range of the delays to return, as multiples of `unit`.
    package init(unit: Duration, bounds: ClosedRange<Int>) {
        self.unit = unit
        self.bounds = bounds
    }

    /// Returns the delay of the next frame, in the format's unit. A difference due to the bounds is not carried on.
    package mutating func next(_ duration: Duration) -> Int {
        let exact = duration / unit + rest
        let rounded = exact.rounded()
        let delay = min(max(rounded, Double(bounds.lowerBound)), Double(bounds.upperBound))
        rest = delay == rounded ? exact - rounded : 0
        return Int(delay)
    }
}
