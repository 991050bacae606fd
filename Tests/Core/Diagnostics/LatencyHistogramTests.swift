import Calotype
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LatencyHistogramTests {
    /// The encoded form of a histogram, with arbitrary values.
    private struct Written: Encodable {
        var counts: [Int]
        var total = Duration.seconds(7)
    }

    private static func read(_ written: Written) throws -> LatencyHistogram {
        try JSONDecoder().decode(LatencyHistogram.self, from: JSONEncoder().encode(written))
    }

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

    @Test func `the mean covers all times`() {
        var histogram = LatencyHistogram()
        for time: Duration in [.milliseconds(1), .milliseconds(2), .milliseconds(6)] { histogram.add(time) }
        #expect(histogram.total == .milliseconds(9))
        #expect(histogram.mean == .milliseconds(3))
    }

    private static let placeCount = LatencyHistogram.bounds.count + 1

    @Test func `a histogram survives a round trip`() throws {
        let read = try Self.read(Written(counts: Array(1...Self.placeCount)))
        #expect(read.counts == Array(1...Self.placeCount))
        #expect(read.total == .seconds(7))
    }

    private static let badCounts: [[Int]] = [
        [], Array(repeating: 1, count: placeCount - 1), Array(repeating: 1, count: placeCount + 1),
        Array(repeating: 1, count: placeCount - 1) + [-1], Array(repeating: Int.max, count: placeCount),
    ]

    @Test(arguments: badCounts)
    func `impossible counts are not decoded`(counts: [Int]) {
        #expect(throws: DecodingError.self) { try Self.read(Written(counts: counts)) }
    }

    @Test func `impossible times are not decoded`() {
        let counts = Array(repeating: 1, count: Self.placeCount)
        for total: Duration in [.seconds(-1), .seconds(Int64.max) + .seconds(1)] {
            #expect(throws: DecodingError.self) { try Self.read(Written(counts: counts, total: total)) }
        }
    }

    @Test func `the bounds are strictly increasing`() {
        #expect(zip(LatencyHistogram.bounds, LatencyHistogram.bounds.dropFirst()).allSatisfy(<))
    }
}
