#if JPEG
import Calotype
import CalotypeJPEG
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// The coder keeps the contract of coders with every good file of the directory, and withstands every bad one.
@Suite(.timeLimit(.minutes(5)))
struct JPEGContractTests {
    /// Returns the valid pictures.
    static func good() throws -> [String] {
        try Fixture.directory.files().filter {
            $0.hasSuffix(".jpg") && !$0.hasPrefix("bad-") && !$0.hasPrefix("regressions/")
        }
    }

    /// Returns the faulty files, including those from fuzzing, whose names contain their seed:
    /// `regressions/what-it-was.SEED.jpg`.
    static func bad() throws -> [String] {
        try Fixture.directory.files().filter { $0.hasPrefix("bad-") || $0.hasPrefix("regressions/") }
    }

    private static func sample(_ file: String) throws -> CoderSample {
        CoderSample(file, try Fixture.directory.data(file), format: .jpeg, isAnimated: false)
    }

    @Test(arguments: try JPEGContractTests.good())
    func `a file keeps the contract`(_ file: String) async throws {
        // Truncation at every byte is tested with one file of each kind, below.
        let checks = Set(CoderCheck.allCases).subtracting([.truncation, .threadSafety])
        let findings = await checkCoder(JPEGCoder(), with: [try Self.sample(file)], checks: checks)
        #expect(findings == [])
    }

    @Test(arguments: [
        "small", "small-progressive", "gray", "rgb", "cmyk-separate-scans", "ycck-420-progressive", "restart-rows",
        "progressive-script", "arithmetic", "arithmetic-progressive", "icc-split", "exif-thumbnail",
        "size-1x17-progressive", "garbage-after-end",
    ])
    func `a file that is cut off keeps the contract`(_ name: String) async throws {
        let findings = await checkCoder(JPEGCoder(), with: [try Self.sample(name + ".jpg")], checks: [.truncation])
        #expect(findings == [])
    }

    @Test func `all files at once keep the contract`() async throws {
        let samples = try Self.good().map { try Self.sample($0) }
        let findings = await checkCoder(JPEGCoder(), with: samples, checks: [.threadSafety])
        #expect(findings == [])
    }

    @Test(arguments: try JPEGContractTests.bad())
    func `a bad file is a picture or an error, however it is read`(_ file: String) async throws {
        let data = try Fixture.directory.data(file)
        let trial = DamageTrial([JPEGCoder()])
        for seed in DamageTrial.seeds(forFile: file) { try await trial.run(data, seed: seed) }
    }
}
#endif
