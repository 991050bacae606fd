#if PNG
import Calotype
import CalotypePNG
import CalotypeTesting
import Foundation
import Testing

/// The coder keeps the contract of coders with every good file of the directory, and withstands every bad one.
@Suite(.timeLimit(.minutes(5)))
struct PNGContractTests {
    /// Returns the files of the directory, and of the subdirectory for fuzzing results, by their relative paths.
    private static func files() throws -> [String] {
        let directory = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
    }

    /// Returns the valid pictures.
    static func good() throws -> [String] {
        try files().filter { $0.hasSuffix(".png") && !$0.hasPrefix("bad-") && !$0.hasPrefix("regressions/") }
    }

    /// Returns the faulty files, including those from fuzzing, whose names contain their seed:
    /// `regressions/what-it-was.SEED.png`.
    static func bad() throws -> [String] {
        try files().filter { $0.hasPrefix("bad-") || $0.hasPrefix("regressions/") }
    }

    private static func sample(_ file: String) throws -> CoderSample {
        CoderSample(file, try Fixture.data(file), format: .png)
    }

    @Test(arguments: try PNGContractTests.good())
    func `a file keeps the contract`(_ file: String) async throws {
        // Truncation at every byte is tested with one file of each kind, below.
        let checks = Set(CoderCheck.allCases).subtracting([.truncation, .threadSafety])
        let findings = await checkCoder(PNGCoder(), with: [try Self.sample(file)], checks: checks)
        #expect(findings == [])
    }

    @Test(arguments: [
        "size-3x3", "size-5x3-gray2-interlaced", "gray1-interlaced", "gray16-trns", "grayalpha8", "palette2-trns",
        "rgb8", "rgb16-interlaced", "rgba8", "icc", "gamma", "orientation-6", "extra-chunks",
    ])
    func `a file that is cut off keeps the contract`(_ name: String) async throws {
        let findings = await checkCoder(PNGCoder(), with: [try Self.sample(name + ".png")], checks: [.truncation])
        #expect(findings == [])
    }

    @Test(arguments: try PNGContractTests.good().filter { $0.hasPrefix("animated-") })
    func `an animation that is cut off keeps the contract`(_ file: String) async throws {
        let findings = await checkCoder(PNGCoder(), with: [try Self.sample(file)], checks: [.truncation])
        #expect(findings == [])
    }

    @Test func `all files at once keep the contract`() async throws {
        let samples = try Self.good().map { try Self.sample($0) }
        let findings = await checkCoder(PNGCoder(), with: samples, checks: [.threadSafety])
        #expect(findings == [])
    }

    @Test(arguments: try PNGContractTests.bad())
    func `a bad file is a picture or an error, however it is read`(_ file: String) async throws {
        let data = try Fixture.data(file)
        let trial = DamageTrial([PNGCoder()])
        for seed in DamageTrial.seeds(forFile: file) { try await trial.run(data, seed: seed) }
    }
}
#endif
