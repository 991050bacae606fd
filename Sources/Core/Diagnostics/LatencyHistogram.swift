/// A distribution of durations, with buckets that grow by a factor of about three from a tenth of a millisecond to ten
/// seconds.
public struct LatencyHistogram: Sendable, Hashable, Codable {
    /// The upper bounds of all buckets except the last, which contains all longer durations.
    public static let bounds: [Duration] = [
        .microseconds(100), .microseconds(300), .milliseconds(1), .milliseconds(3), .milliseconds(10),
        .milliseconds(30), .milliseconds(100), .milliseconds(300), .seconds(1), .seconds(3), .seconds(10),
    ]

    /// The number of durations in each bucket. A bucket contains the durations that are longer than the previous bound,
    /// but not longer than the bound with the same index. One more bucket follows for durations longer than all
    /// ``bounds``.
    public private(set) var counts = [Int](repeating: 0, count: LatencyHistogram.bounds.count + 1)
    /// The sum of all durations, at most `Int64.max` seconds.
    public private(set) var total = Duration.zero

    /// The number of durations.
    public var count: Int { counts.reduce(0, +) }
    /// The average duration; zero if there are none.
    public var mean: Duration { count == 0 ? .zero : total / count }

    /// The upper limit of ``total`` and of each added duration: the largest number of seconds in an `Int64`.
    private static let longest = Duration.seconds(Int64.max)

    /// Creates an empty histogram.
    public init() {}

    /// Decodes a histogram. Throws `DecodingError` if the number of counts is wrong, if a count or the total is
    /// negative, or if a count or the total is so large that sums could overflow.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        counts = try container.decode([Int].self, forKey: .counts)
        total = try container.decode(Duration.self, forKey: .total)
        let placeCount = Self.bounds.count + 1
        guard counts.count == placeCount, counts.allSatisfy({ $0 >= 0 && $0 <= Int.max / placeCount }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .counts, in: container, debugDescription: "not the counts of a histogram")
        }
        guard (Duration.zero...Self.longest).contains(total) else {
            throw DecodingError.dataCorruptedError(
                forKey: .total, in: container, debugDescription: "not the time of a histogram")
        }
    }

    /// Adds a duration.
    public mutating func add(_ duration: Duration) {
        counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
        // A clock other than the system's may return any time.
        total = min(total + min(max(.zero, duration), Self.longest), Self.longest)
    }
}
