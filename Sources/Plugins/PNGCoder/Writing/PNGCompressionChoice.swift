#if PNG && DEFLATE
import Calotype

/// The choice of the best compression of a picture's rows at a level. Most choices depend on how short a sample of the
/// rows becomes.
struct PNGCompressionChoice {
    /// A picture counts as noise if a sample takes at least all its bytes divided by this. Pictures that take less
    /// consist of repetitions, some of which are farther apart than the rows of a sample.
    private static let noiseDivisor = 5
    /// A level is worth its time if it saves at least what the sample takes at the level below divided by this. Smooth
    /// gradients save more, and other pictures less. Samples of codes contain less of what repeats.
    private static let savingDivisor = (channels: 25, codes: 60)
    /// The maximum level for the comparison of rules. Their order is mostly the same at higher levels, which take
    /// longer.
    private static let maxLevelForRules = 2

    let rows: PNGFilteredRows
    let level: Int
    let job: Job

    /// Returns the compression of rows that are too few for a sample, or are not to be compressed.
    func withoutSample(ofCodes: Bool) -> PNGCompression {
        let rule: PNGRowFilter.Rule = ofCodes || level == 0 ? .none : .smallestSum
        let usual = PNGCompression(rule: rule, repetitions: .all(level: level))
        return slower(usual) ?? usual
    }

    /// Returns the compression of codes of colors, whose differences mean nothing.
    func forCodes() throws -> PNGCompression {
        let sample = try rows.sample(by: .none, job: job)
        // Most codes repeat so often that the level below finds nearly as much, in less time.
        let start = PNGCompression(rule: .none, repetitions: .all(level: max(level - 1, 1)))
        return try worthwhile(from: start, sample, size: size(of: sample, by: start), divisor: Self.savingDivisor.codes)
    }

    /// Returns the compression of channels.
    func forChannels() throws -> PNGCompression {
        let sums = try rows.sample(by: .smallestSum, job: job)
        let pairs = try rows.sample(by: .fewestPairs, job: job)
        let low = PNGCompression.Repetitions.all(level: min(level, Self.maxLevelForRules))
        let sizeOfSums = try size(of: sums, by: PNGCompression(rule: .smallestSum, repetitions: low))
        let sizeOfPairs = try size(of: pairs, by: PNGCompression(rule: .fewestPairs, repetitions: low))
        let (rule, sample) = sizeOfPairs < sizeOfSums ? (.fewestPairs, pairs) : (PNGRowFilter.Rule.smallestSum, sums)
        // Rows in which few pairs differ repeat so often that the level below finds nearly as much, in less time.
        let start = rule == .fewestPairs ? max(level - 1, 1) : level
        let usual = PNGCompression(rule: rule, repetitions: .all(level: start))
        let size = try size(of: sample, by: usual)
        let isNoise = size * Self.noiseDivisor >= sample.count
        if isNoise, try self.size(of: sums, by: .noise) < size { return .noise }
        return try worthwhile(from: usual, sample, size: size, divisor: Self.savingDivisor.channels)
    }

    /// Returns the compression at the first level from that of `start` whose next level is not worth its time.
    /// - Parameters:
    ///   - size: The length of the sample at the level of `start`.
    ///   - divisor: A next level must save at least the length at its predecessor divided by this.
    private func worthwhile(
        from start: PNGCompression, _ sample: Data, size: Int, divisor: Int
    ) throws -> PNGCompression {
        var best = (compression: start, size: size)
        while let slower = slower(best.compression) {
            let size = try self.size(of: sample, by: slower)
            guard (best.size - size) * divisor >= best.size else { break }
            best = (slower, size)
        }
        return best.compression
    }

    /// Returns the compression at the next level; nil if that is more than one above the level of this choice, or if
    /// the rows are too many for it.
    private func slower(_ compression: PNGCompression) -> PNGCompression? {
        guard let slower = compression.slower, case .all(let next) = slower.repetitions else { return nil }
        return next <= level + 1 && rows.areFewEnough(for: next) ? slower : nil
    }

    private func size(of sample: Data, by compression: PNGCompression) throws -> Int {
        try job.check()
        return try compression.compressed(sample).count
    }
}
#endif
