import Testing

@testable import Calotype

/// Conversion of durations to the units of a format.
@Suite(.timeLimit(.minutes(5)))
struct FrameDelaysTests {
    private func delays(_ milliseconds: [Double], in bounds: ClosedRange<Int> = 2...65_535) -> [Int] {
        var delays = FrameDelays(unit: .milliseconds(10), bounds: bounds)
        return milliseconds.map { delays.next(.milliseconds($0)) }
    }

    @Test func `rounding errors are carried forward, so that the total duration is kept`() {
        #expect(delays([33.3, 33.3, 33.3, 33.3, 33.3, 33.3]) == [3, 4, 3, 3, 4, 3])
        let many = Array(repeating: 1_000.0 / 30, count: 300)
        #expect(delays(many).reduce(0, +) == 1_000)
    }

    @Test func `the error of a clamped delay is not carried forward`() {
        // Sixty frames a second, which are below the minimum, and a longer one.
        #expect(delays(Array(repeating: 1_000.0 / 60, count: 60) + [300]).last == 30)
        #expect(delays([1_000_000, 100, 100]) == [65_535, 10, 10])
        #expect(delays([-5, 0, 100]) == [2, 2, 10])
    }

    @Test func `an infinite duration becomes the longest delay`() {
        var delays = FrameDelays(unit: .milliseconds(1), bounds: 1...0xFF_FFFF)
        for _ in 0..<3 { #expect(delays.next(.seconds(Int64.max)) == 0xFF_FFFF) }
        #expect(delays.next(.seconds(Int64.min)) == 1)
    }
}
