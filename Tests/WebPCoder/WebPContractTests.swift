#if WEBP
import CoderKit
import Calotype
import CalotypeTesting
import CalotypeWebP
import Foundation
import Testing

/// The coder keeps the contract of coders with every good file of the folder, and holds out against every bad one.
@Suite(.timeLimit(.minutes(5)))
struct WebPContractTests {
    private static func isBad(_ file: String) -> Bool {
        file.hasPrefix("bad-") || file.hasPrefix("odd-") || file.hasPrefix("regressions/")
    }

    static func good() throws -> [String] {
        try WebPFixture.folder.files().filter { $0.hasSuffix(".webp") && !isBad($0) }
    }

    /// The files with a fault, and those that fuzzing has found one by, which have its seed in their names:
    /// `regressions/what-it-was.SEED.webp`.
    static func bad() throws -> [String] {
        try WebPFixture.folder.files().filter { $0.hasSuffix(".webp") && isBad($0) }
    }

    private static func sample(_ file: String) throws -> CoderSample {
        CoderSample(file, try WebPFixture.folder.data(file), format: .webp)
    }

    @Test(arguments: try WebPContractTests.good())
    func `a file keeps the contract`(_ file: String) async throws {
        var checks = Set(CoderCheck.allCases).subtracting([.truncation, .threadSafety])
        // Single pixels of strong colors, of which half the chroma leaves little.
        if file == "lossless-runs.webp" { checks.remove(.roundTrip) }
        let findings = await checkCoder(WebPCoder(), with: [try Self.sample(file)], checks: checks)
        #expect(findings == [])
    }

    @Test func `all files at once keep the contract`() async throws {
        let samples = try Self.good().map { try Self.sample($0) }
        let findings = await checkCoder(WebPCoder(), with: samples, checks: [.threadSafety])
        #expect(findings == [])
    }

    @Test(arguments: try WebPContractTests.bad())
    func `a bad file is a picture or an error, however it is read`(_ file: String) async throws {
        let data = try WebPFixture.folder.data(file)
        let trial = DamageTrial([WebPCoder()])
        for seed in DamageTrial.seeds(forFile: file) { try await trial.run(data, seed: seed) }
    }
}
#endif
