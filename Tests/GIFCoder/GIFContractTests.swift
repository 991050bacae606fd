#if GIF
import Calotype
import CalotypeGIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// The coder keeps the contract of coders with every good file of the directory, and withstands every bad one.
@Suite(.timeLimit(.minutes(5)))
struct GIFContractTests {
    private static func isBad(_ file: String) -> Bool {
        ["bad-", "odd-", "cut-", "regressions/"].contains { file.hasPrefix($0) }
    }

    static func good() throws -> [String] {
        try GIFFixture.directory.files().filter { $0.hasSuffix(".gif") && !isBad($0) }
    }

    /// Returns the faulty files, including those from fuzzing, whose names contain their seed:
    /// `regressions/what-it-was.SEED.gif`.
    static func bad() throws -> [String] {
        try GIFFixture.directory.files().filter { $0.hasSuffix(".gif") && isBad($0) }
    }

    private static func sample(_ file: String) throws -> CoderSample {
        CoderSample(file, try GIFFixture.directory.data(file), format: .gif)
    }

    @Test(arguments: try GIFContractTests.good())
    func `a file keeps the contract`(_ file: String) async throws {
        let checks = Set(CoderCheck.allCases).subtracting([.truncation, .threadSafety])
        let findings = await checkCoder(GIFCoder(), with: [try Self.sample(file)], checks: checks)
        #expect(findings == [])
    }

    /// Only still images: an animation that ends after a whole frame merely lacks its trailer, and browsers show it.
    @Test(arguments: [
        "colors-2", "palette-local", "transparent", "interlaced-5", "code-size-8-of-4-colors", "lzw-one-byte-blocks",
        "icc", "version-87a",
    ])
    func `a file that is cut off keeps the contract`(_ name: String) async throws {
        let findings = await checkCoder(GIFCoder(), with: [try Self.sample(name + ".gif")], checks: [.truncation])
        #expect(findings == [])
    }

    @Test func `all files at once keep the contract`() async throws {
        let samples = try Self.good().map { try Self.sample($0) }
        let findings = await checkCoder(GIFCoder(), with: samples, checks: [.threadSafety])
        #expect(findings == [])
    }

    @Test(arguments: try GIFContractTests.bad())
    func `a bad file is a picture or an error, however it is read`(_ file: String) async throws {
        let data = try GIFFixture.directory.data(file)
        let trial = DamageTrial([GIFCoder()])
        for seed in DamageTrial.seeds(forFile: file) { try await trial.run(data, seed: seed) }
    }
}
#endif
