import Calotype
import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DamageTrialTests {
    /// The samples: whole, truncated, and with some bytes changed.
    private static let files = CoderCheckTests.samples.flatMap { sample in
        var damaged = sample.data
        for place in stride(from: 20, to: damaged.count, by: 97) { damaged[place] ^= 0x55 }
        return [sample.data, Data(sample.data.prefix(sample.data.count * 2 / 3)), damaged]
    }

    @Test func `a coder without a defect handles any damage to a file`() async throws {
        let trial = DamageTrial([FaultyCoder()])
        for file in Self.files {
            for seed in 0..<UInt64(16) { try await trial.run(file, seed: seed) }
        }
    }

    @Test(
        arguments: [
            (.rowsFromTheBottom, .rows), (.lastRowMissing, .rows), (.unwrittenRowEnd, .rows), (.beginsTwice, .rows),
            (.errorOfItsOwnWhenCutOff, .rows), (.planesChange, .planes), (.otherPictureInTheEnd, .progressive),
            (.errorOfItsOwnWhenCutOff, .pipeline), (.lastRowMissing, .progressive), (.writesCounter, .rewriting),
        ] as [(CoderDefect, DamageTrial.Way)])
    func `a defect is found in the expected way`(_ defect: CoderDefect, _ way: DamageTrial.Way) async {
        let trial = DamageTrial([FaultyCoder(defect)])
        var breaches = 0
        for file in Self.files {
            for seed in 0..<UInt64(16) {
                do throws(Breach) {
                    try await trial.run(file, seed: seed, ways: [way])
                } catch {
                    breaches += 1
                }
            }
        }
        #expect(breaches > 0)
    }

    // MARK: Seeds

    /// A coder that records its decoding options, and decodes nothing.
    private final class RecordingCoder: ImageCoder {
        private let options = Lock<[DecodeOptions]>([])

        var formats: [ImageFormat] { [FaultyCoder.format] }
        var asked: [DecodeOptions] { options.withLock { $0 } }

        func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
            self.options.withLock { $0.append(options) }
            return nil
        }
    }

    @Test(arguments: [DamageTrial.Way.rows, .planes, .pipeline])
    func `the seed of the damage does not determine the options`(_ way: DamageTrial.Way) async throws {
        let coder = RecordingCoder()
        let trial = DamageTrial([coder])
        for seed in 0..<UInt64(200) {
            // Draws like a fuzzer with two files, and keeps the seeds that choose the first one.
            var random = SplitMix64(seed: seed)
            guard Int.random(in: 0..<2, using: &random) == 0 else { continue }
            try await trial.run(Data("CTFAULTY".utf8), seed: seed, ways: [way])
        }
        let wishes: [(DecodeOptions) -> Bool] = [
            { $0.thumbnailPixelSize != nil }, { $0.context[.preservesAspectRatio] }, { $0.thumbnailQuality == .fast },
            { $0.scaleDownLimitBytes > 0 }, { $0.allowsPartial }, { $0.nativeDepth }, { $0.context[.keepsOrientation] },
            { $0.context[.frame] != nil },
        ]
        for (index, isWished) in wishes.enumerated() {
            #expect(Set(coder.asked.map(isWished)) == [false, true], "wish \(index)")
        }
    }

    @Test func `a seed gives a way the same options, whatever other ways are tried`() async throws {
        let (alone, among) = (RecordingCoder(), RecordingCoder())
        for seed in 0..<UInt64(10) {
            try await DamageTrial([alone]).run(Data("CTFAULTY".utf8), seed: seed, ways: [.planes])
            try await DamageTrial([among]).run(Data("CTFAULTY".utf8), seed: seed, ways: [.rows, .planes])
        }
        let wishes = alone.asked.map(\.thumbnailPixelSize)
        #expect(Set(wishes).count > 3)
        let amongOthers = stride(from: 1, to: among.asked.count, by: 2).map { among.asked[$0].thumbnailPixelSize }
        #expect(amongOthers == wishes)
    }

    @Test func `a file that fuzzing has found is tried with the seed in its name`() {
        #expect(DamageTrial.seeds(forFile: "bad-crc.png") == Array(0..<8))
        #expect(DamageTrial.seeds(forFile: "regressions/what-it-was.1234.png") == Array(0..<8) + [1234])
        #expect(DamageTrial.seeds(forFile: ".build/fuzz/18446744073709551615.jpg", count: 0) == [UInt64.max])
        #expect(DamageTrial.seeds(forFile: "1234", count: 2) == [0, 1])
    }
}
