/// The distribution of durations, in steps of about three from a tenth of a millisecond to ten seconds.
public struct LatencyHistogram: Sendable, Hashable, Codable {
    /// The longest time of each step but the last, which has what took longer than all of them.
    public static let bounds: [Duration] = [
        .microseconds(100), .microseconds(300), .milliseconds(1), .milliseconds(3), .milliseconds(10),
        .milliseconds(30), .milliseconds(100), .milliseconds(300), .seconds(1), .seconds(3), .seconds(10),
    ]

    /// The numbers of durations that are at most the bound of the same place, and longer than the one before it. There
    /// is one place more than in ``bounds``.
    public private(set) var counts = [Int](repeating: 0, count: LatencyHistogram.bounds.count + 1)
    /// The time of all together; saturating.
    public private(set) var total = Duration.zero

    /// The number of durations.
    public var count: Int { counts.reduce(0, +) }
    /// The time of one on average; zero without any.
    public var mean: Duration { count == 0 ? .zero : total / count }

    /// The longest duration that can be told in seconds.
    private static let longest = Duration.seconds(Int64.max)

    /// Creates an empty histogram.
    public init() {}

    /// One that was encoded. Throws `DecodingError` for what no histogram has: any other number of counts, negative
    /// ones or times, and more than can be added up.
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

    /// Adds one that took so long.
    public mutating func add(_ duration: Duration) {
        counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
        // A clock that is not the system's may say anything.
        total = min(total + min(max(.zero, duration), Self.longest), Self.longest)
    }
}
