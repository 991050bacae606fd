#if HEIF
import Calotype
import CalotypeHEIF
import CalotypeTesting
import CoderKit
import Foundation
import Testing

/// The coder keeps the contract of coders with good files of the directory, and withstands every bad one.
@Suite(.timeLimit(.minutes(5)))
struct HEIFContractTests {
    private static func isBad(_ file: String) -> Bool {
        ["bad-", "odd-", "regressions/"].contains { file.hasPrefix($0) }
    }

    private static func isPicture(_ file: String) -> Bool {
        [".heic", ".avif", ".heif"].contains { file.hasSuffix($0) }
    }

    /// Returns the faulty files, including those from fuzzing, whose names contain their seed:
    /// `regressions/what-it-was.SEED.heic`.
    static func bad() throws -> [String] {
        try HEIFFixture.directory.files().filter { isPicture($0) && isBad($0) }
    }

    private static func sample(_ fixture: HEIFFixture) throws -> CoderSample {
        CoderSample(fixture.file, try fixture.data(), format: fixture.brandedFormat)
    }

    @Test(arguments: try HEIFFixture.various())
    func `a file keeps the contract`(_ fixture: HEIFFixture) async throws {
        let checks = Set(CoderCheck.allCases).subtracting([.truncation, .threadSafety, .roundTrip])
        let findings = await checkCoder(HEIFCoder(), with: [try Self.sample(fixture)], checks: checks)
        #expect(findings == [])
    }

    @Test(arguments: try HEIFContractTests.kinds().filter { !$0.hasEXIF && !$0.hasXMP })
    func `a file that is cut off keeps the contract`(_ fixture: HEIFFixture) async throws {
        let findings = await checkCoder(HEIFCoder(), with: [try Self.sample(fixture)], checks: [.truncation])
        #expect(findings == [])
    }

    @Test(arguments: try HEIFFixture.various().filter { $0.hasEXIF || $0.hasXMP })
    func `a file that is cut off anywhere is an error, or the same picture`(_ fixture: HEIFFixture) async throws {
        let data = try fixture.data()
        let options = DecodeOptions(ResolvedContext([.keepsMetadata]))
        let whole = try #require(try HEIFCoder().decoder(for: ImageBytes(data), options: options)).info
        for count in 0..<data.count {
            let info = try? HEIFCoder().decoder(for: ImageBytes(data.prefix(count)), options: options)?.info
            #expect(info == nil || info == whole, "the first \(count) of \(data.count) bytes")
        }
    }

    /// Returns one file for each kind of pixels, since starting the encoders takes a hundred milliseconds.
    static func kinds() throws -> [HEIFFixture] {
        var seen: Set<[Int]> = []
        return try HEIFFixture.various().filter { fixture in
            let flags = [
                fixture.hasAlpha, fixture.chroma == "400", fixture.hasICCProfile, fixture.hasEXIF, fixture.hasXMP,
            ]
            let isAVIF = fixture.brandedFormat == .avif
            return seen.insert([isAVIF ? 1 : 0, fixture.bitDepth] + flags.map { $0 ? 1 : 0 }).inserted
        }
    }

    @Test(arguments: try HEIFContractTests.kinds())
    func `a file is written and read again`(_ fixture: HEIFFixture) async throws {
        let findings = await checkCoder(HEIFCoder(), with: [try Self.sample(fixture)], checks: [.roundTrip])
        #expect(findings == [])
    }

    @Test func `all files at once keep the contract`() async throws {
        let samples = try HEIFFixture.various().map { try Self.sample($0) }
        let findings = await checkCoder(HEIFCoder(), with: samples, checks: [.threadSafety])
        #expect(findings == [])
    }

    @Test(arguments: try HEIFContractTests.bad())
    func `a bad file is a picture or an error, however it is read`(_ file: String) async throws {
        let data = try HEIFFixture.directory.data(file)
        let trial = DamageTrial([HEIFCoder()])
        for seed in DamageTrial.seeds(forFile: file, count: 3) { try await trial.run(data, seed: seed) }
    }
}
#endif
