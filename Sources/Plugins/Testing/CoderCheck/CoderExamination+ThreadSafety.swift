import Calotype
import Dispatch

extension CoderExamination {
    private static let threadCount = 8

    /// Decodes all samples on concurrent threads. Returns a finding for each sample that fails.
    ///
    /// All threads create their decoders before any of them decodes. This reveals decoders that share state.
    func threadSafetyFindings() -> [CoderFinding] {
        let expected = samples.map { sample in
            Result { try CoderSubject(coder: coder, sample: sample).picture() }
        }
        let found = Lock<[Int: CoderFinding]>([:])
        for round in samples.indices {
            let together = DispatchGroup()
            for _ in 0..<Self.threadCount { together.enter() }
            ThreadGroup.run(Self.threadCount) { thread in
                let index = (round + thread) % samples.count
                let subject = CoderSubject(coder: coder, sample: samples[index])
                do {
                    let decoder = Result { try subject.decoder() }
                    together.leave()
                    together.wait()
                    try check(decoder.get(), against: expected[index].get())
                } catch {
                    let finding = makeFinding(.threadSafety, samples[index], error)
                    found.withLock { $0[index] = $0[index] ?? finding }
                }
            }
        }
        return found.withLock { found in samples.indices.compactMap { found[$0] } }
    }

    private func check(_ decoder: any ImageDecoder, against expected: PixelBuffer) throws {
        guard let difference = try decoder.probe().picture().difference(from: expected) else { return }
        throw Breach(
            expected: "the same pixels while other threads decode", but: "they \(difference)",
            advice: "keep the state of a file in its decoder, and guard shared state")
    }
}
