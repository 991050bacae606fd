#if PNG
import Testing

@testable import CalotypePNG

struct PNGDelayTests {
    /// Durations, and their intended fractions.
    static let exact: [(duration: Duration, fraction: [UInt16])] = [
        (.milliseconds(100), [1, 10]),
        (.milliseconds(11), [11, 1000]),
        (.milliseconds(1234), [617, 500]),
        (.seconds(3), [3, 1]),
        // As stored by a decoder, in whole nanoseconds.
        (.nanoseconds(33_333_333), [1, 30]),
        (.nanoseconds(16_666_666), [1, 60]),
        (.nanoseconds(41_708_333), [1001, 24000]),
        // As computed by a program.
        (.seconds(0.1), [1, 10]),
        // Durations that overflow in thousandths.
        (.milliseconds(65_536), [8192, 125]),
        (.milliseconds(70_500), [141, 2]),
        (.seconds(65_535), [65_535, 1]),
        // Beyond the range.
        (.seconds(65_536), [65_535, 1]),
        (.zero, [0, 1]),
        (.milliseconds(-5), [0, 1]),
        (.nanoseconds(1), [0, 1]),
    ]

    @Test(arguments: zip(PNGDelayTests.exact.map(\.duration), PNGDelayTests.exact.map(\.fraction)))
    func `a duration becomes the intended fraction`(_ duration: Duration, _ fraction: [UInt16]) {
        let delay = PNGDelay(duration)
        #expect([delay.numerator, delay.denominator] == fraction)
    }

    @Test func `every duration of whole milliseconds up to a minute is exact`() {
        for milliseconds in 1...60_000 {
            let delay = PNGDelay(.milliseconds(milliseconds))
            let isExact = Int(delay.numerator) * 1000 == milliseconds * Int(delay.denominator)
            if !isExact { Issue.record("\(milliseconds) ms became \(delay.numerator)/\(delay.denominator) s") }
        }
    }
}
#endif
