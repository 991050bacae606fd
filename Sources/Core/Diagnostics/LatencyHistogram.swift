/// How many of something took how long, in steps of about three from a tenth of a millisecond to ten seconds.
public struct LatencyHistogram: Sendable, Hashable, Codable {
    /// The longest time of each step but the last, which has what took longer than all of them.
    public static let bounds: [Duration] = [
        .microseconds(100), .microseconds(300), .milliseconds(1), .milliseconds(3), .milliseconds(10),
        .milliseconds(30), .milliseconds(100), .milliseconds(300), .seconds(1), .seconds(3), .seconds(10),
    ]

    /// How many took at most the bound of that place, and more than the one before it. One place more than ``bounds``
    /// has.
    public private(set) var counts = [Int](repeating: 0, count: LatencyHistogram.bounds.count + 1)
    /// The time of all together.
    public private(set) var total = Duration.zero

    /// How many there are.
    public var count: Int { counts.reduce(0, +) }
    /// The time of one on average; zero without any.
    public var mean: Duration { count == 0 ? .zero : total / count }

    /// Nothing.
    public init() {}

    /// Adds one that took so long.
    public mutating func add(_ duration: Duration) {
        counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
        total += duration
    }
}
