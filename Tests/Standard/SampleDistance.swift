#if COLOR && PNG && JPEG
/// The difference of samples from the expected ones, in their own unit.
struct SampleDistance {
    /// The largest difference.
    let largest: Int
    /// The mean difference.
    let mean: Double

    /// Both are infinite if the counts differ or are zero.
    init(_ samples: [Int], _ expected: [Int]) {
        guard samples.count == expected.count, !samples.isEmpty else {
            largest = .max
            mean = .infinity
            return
        }
        let distances = zip(samples, expected).map { abs($0 - $1) }
        largest = distances.max() ?? 0
        mean = Double(distances.reduce(0, +)) / Double(distances.count)
    }
}
#endif
