/// The times of two sides, measured alternately.
///
/// Alternation keeps the ratio valid on a machine whose speed varies: a slowdown affects both sides.
struct Measurement {
    /// The number of samples of each side. An odd number has one in the middle.
    static let sampleCount = 41
    /// The shortest duration of a sample, in seconds. It makes clocks, interrupts and the call itself negligible.
    static let shortestSample = 0.02

    /// The subject's seconds for each operation, one value a sample.
    let subject: [Double]
    /// The peer's seconds for each operation. Each sample was taken right after the subject's sample with the same
    /// index.
    let peer: [Double]

    /// Warms both sides up, calibrates the repeats that fill a sample, and takes the samples.
    static func taken(subject: Contender, peer: Contender) async throws -> Measurement {
        let subjectRepeats = try await calibrated(subject)
        let peerRepeats = try await calibrated(peer)
        var subjectSamples: [Double] = []
        var peerSamples: [Double] = []
        for _ in 0..<sampleCount {
            subjectSamples.append(try await subject.run(subjectRepeats) / Double(subjectRepeats))
            peerSamples.append(try await peer.run(peerRepeats) / Double(peerRepeats))
        }
        return Measurement(subject: subjectSamples, peer: peerSamples)
    }

    /// Returns the number of repeats that fill a sample. The calibration runs are the warm-up.
    private static func calibrated(_ contender: Contender) async throws -> Int {
        // The first run pays for one-time work.
        _ = try await contender.run(1)
        var repeats = 1
        while true {
            // The faster of two: a pause of the whole machine must not count as work.
            let first = try await contender.run(repeats)
            let second = try await contender.run(repeats)
            let seconds = min(first, second)
            guard seconds < shortestSample else { return repeats }
            // Grow a little beyond the need, but not by much at once: the first few operations do not represent many.
            let factor = min(100, 1.2 * shortestSample / max(seconds, 1e-9))
            repeats = max(repeats + 1, Int(Double(repeats) * factor))
        }
    }
}
