/// How long two sides took, measured in turns.
///
/// Turns are what makes the ratio hold on a machine whose speed wanders: what slows one side down for a while slows the
/// other down as well.
struct Measurement {
    /// Samples of each side. An odd number has one in the middle.
    static let sampleCount = 41
    /// Seconds that a sample takes at least: clocks, interrupts and the call itself vanish in it.
    static let shortestSample = 0.02

    /// Seconds for each operation, sample by sample.
    let subject: [Double]
    /// The same of the peer; the sample of the same index was taken right after the subject's.
    let peer: [Double]

    /// Warms both sides up, finds out how often each must do its work to fill a sample, and takes the samples.
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

    /// How often the work fills a sample. The runs that find it out are the warm-up.
    private static func calibrated(_ contender: Contender) async throws -> Int {
        // The first run pays for everything that is done once.
        _ = try await contender.run(1)
        var repeats = 1
        while true {
            // The faster of two: a pause of the whole machine must not pass for work.
            let first = try await contender.run(repeats)
            let second = try await contender.run(repeats)
            let seconds = min(first, second)
            guard seconds < shortestSample else { return repeats }
            // A little more than enough, and not by much at once: the first few operations are no measure of many.
            let factor = min(100, 1.2 * shortestSample / max(seconds, 1e-9))
            repeats = max(repeats + 1, Int(Double(repeats) * factor))
        }
    }
}
