import CalotypeTesting

/// A ratio of medians, and its 95 % confidence interval.
struct Ratio {
    let value: Double
    let low: Double
    let high: Double
}

/// Statistics of samples.
enum Statistics {
    /// The number of bootstrap resamples. It is high enough that the ends of the interval are stable in the printed
    /// digits.
    private static let resampleCount = 4000

    /// Returns the median; for an even count the mean of the two middle values. `values` must not be empty.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// Returns the subject's time divided by its peer's.
    ///
    /// The interval is a percentile bootstrap: samples are drawn with replacement many times, and 2.5 % of the
    /// resulting ratios of medians lie below the interval and 2.5 % above. Pairs are drawn, since consecutive
    /// measurements share the state of the machine. The generator is seeded, so equal samples give equal intervals.
    /// Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
    static func ratio(of measurement: Measurement) -> Ratio {
        let count = measurement.subject.count
        var generator = SplitMix64(seed: 1)
        var ratios: [Double] = []
        for _ in 0..<resampleCount {
            var subject: [Double] = []
            var peer: [Double] = []
            for _ in 0..<count {
                let index = Int.random(in: 0..<count, using: &generator)
                subject.append(measurement.subject[index])
                peer.append(measurement.peer[index])
            }
            ratios.append(median(subject) / median(peer))
        }
        ratios.sort()
        let tail = resampleCount / 40
        return Ratio(
            value: median(measurement.subject) / median(measurement.peer), low: ratios[tail],
            high: ratios[resampleCount - 1 - tail])
    }
}
