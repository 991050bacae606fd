#if WEBP
import Calotype
import CalotypeTesting
import CalotypeWebP
import CoderKit
import Foundation
import Testing

/// The coder keeps the contract of coders with every good file of the directory, and withstands every bad one.
@Suite(.timeLimit(.minutes(5)))
struct WebPContractTests {
    private static func isBad(_ file: String) -> Bool {
        file.hasPrefix("bad-") || file.hasPrefix("odd-") || file.hasPrefix("regressions/")
    }

    static func good() throws -> [String] {
        try WebPFixture.directory.files().filter { $0.hasSuffix(".webp") && !isBad($0) }
    }

    /// Returns the faulty files, including those from fuzzing, whose names contain their seed:
    /// `regressions/what-it-was.SEED.webp`.
    static func bad() throws -> [String] {
        try WebPFixture.directory.files().filter { $0.hasSuffix(".webp") && isBad($0) }
    }

    private static func sample(_ file: String) throws -> CoderSample {
        CoderSample(file, try WebPFixture.directory.data(file), format: .webp)
    }

    @Test(arguments: try WebPContractTests.good())
    func `a file keeps the contract`(_ file: String) async throws {
        // Truncation at every byte is tested with one file of each kind, below.
        var checks = Set(CoderCheck.allCases).subtracting([.truncation, .threadSafety])
        // Its single pixels of strong colors lose most of their chroma in lossy encoding.
        if file == "lossless-runs.webp" { checks.remove(.roundTrip) }
        let findings = await checkCoder(WebPCoder(), with: [try Self.sample(file)], checks: checks)
        #expect(findings == [])
    }

    @Test(arguments: [
        "lossy-17x33", "lossy-extended", "alpha-17x33", "alpha-raw-none", "lossless-small", "lossless-alpha-1x1",
        "icc-lossy", "animated-two", "animated-mixed", "animated-one-small-frame",
    ])
    func `a file that is cut off keeps the contract`(_ name: String) async throws {
        let findings = await checkCoder(WebPCoder(), with: [try Self.sample(name + ".webp")], checks: [.truncation])
        #expect(findings == [])
    }

    @Test(arguments: ["exif-lossy.webp", "metadata.webp", "orientation-6.webp"])
    func `metadata that is cut off is an error unless a partial picture is allowed`(_ file: String) async throws {
        let manager = ImageManager(plugins: [.webp], context: [.off(.imageCache)])
        let data = try WebPFixture.directory.data(file)
        let whole = try await manager.decode(data, context: [.keepsOrientation])
        let cut = data.dropLast(data.count % 2 + 2)
        let error = await #expect(throws: ImageError.self) { try await manager.decode(cut) }
        #expect(error?.code == .badData)
        #expect(error?.message == "is truncated: it ends in the metadata after the picture")
        let part = try await manager.decode(cut, context: [.keepsOrientation, .allowPartial])
        #expect(part.pixels.samples == whole.pixels.samples)
    }

    @Test func `all files at once keep the contract`() async throws {
        let samples = try Self.good().map { try Self.sample($0) }
        let findings = await checkCoder(WebPCoder(), with: samples, checks: [.threadSafety])
        #expect(findings == [])
    }

    @Test(arguments: try WebPContractTests.bad())
    func `a bad file is a picture or an error, however it is read`(_ file: String) async throws {
        let data = try WebPFixture.directory.data(file)
        let trial = DamageTrial([WebPCoder()])
        for seed in DamageTrial.seeds(forFile: file) { try await trial.run(data, seed: seed) }
    }
}
#endif
