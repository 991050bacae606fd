import Calotype
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LatencyHistogramTests {
    @Test func `each time is counted under the first bound that it does not exceed`() {
        var histogram = LatencyHistogram()
        #expect(histogram.mean == .zero)
        for bound in LatencyHistogram.bounds {
            histogram.add(bound)
            histogram.add(bound + .nanoseconds(1))
        }
        histogram.add(.zero)
        histogram.add(.seconds(1000))
        let count = LatencyHistogram.bounds.count
        #expect(histogram.counts == [2] + Array(repeating: 2, count: count - 1) + [2])
        #expect(histogram.count == 2 * count + 2)
    }

    @Test func `the mean is that of all`() {
        var histogram = LatencyHistogram()
        for time: Duration in [.milliseconds(1), .milliseconds(2), .milliseconds(6)] { histogram.add(time) }
        #expect(histogram.total == .milliseconds(9))
        #expect(histogram.mean == .milliseconds(3))
    }

    @Test func `the bounds grow`() {
        #expect(zip(LatencyHistogram.bounds, LatencyHistogram.bounds.dropFirst()).allSatisfy(<))
    }
}
