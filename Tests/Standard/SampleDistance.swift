#if COLOR && PNG && JPEG
/// How far samples are from what they should be, in their own unit.
struct SampleDistance {
    /// Where they are farthest.
    let largest: Int
    /// Of all samples.
    let mean: Double

    /// Without end where there are not as many of both, or none.
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
