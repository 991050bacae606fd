import CalotypeTesting

/// A ratio of medians, and the interval that holds it with 95 % confidence.
struct Ratio {
    let value: Double
    let low: Double
    let high: Double
}

/// What is made of samples.
enum Statistics {
    /// Samples drawn again from the samples. The ends of the interval then no longer move in the digits that are shown.
    private static let resampleCount = 4000

    /// The value in the middle, of an even number the mean of the two there. There must be one at least.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// How long the subject takes for each second of its peer.
    ///
    /// The interval is the bootstrap's: from the samples as many are drawn with replacement, again and again, and the
    /// ratios of their medians have 2.5 % below the interval and 2.5 % above. Drawn are pairs, since what was measured
    /// one after the other shares the state of the machine. The generator is seeded: equal samples give equal
    /// intervals.
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
