#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DataURITests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The beginning of each PNG in base64, which the output must never contain.
    static let content = "iVBORw0KGgo"

    private func uri(_ fixture: String) throws -> String {
        "data:image/png;base64,\(try Sandbox.fixture(fixture).base64EncodedString())"
    }

    @Test func `a data URI is loaded and written under a number`() async throws {
        let outcome = try await sandbox.run("load", "--json", uri("rgb8"), uri("rgba8"), uri("rgb8"), "-o", "out")
        let records = try outcome.objects(LoadRecord.self)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(records.map(\.from) == ["loader", "loader", "memory"])
        #expect(records.compactMap(\.output) == ["out/data-1.png", "out/data-2.png", "out/data-3.png"])
        #expect(try sandbox.names(in: "out") == ["data-1.png", "data-2.png", "data-3.png"])
        #expect(try await sandbox.info("out/data-1.png")?.width == 33)
    }

    @Test func `existing file names are skipped`() async throws {
        try sandbox.add("rgb8", as: "out/data-1.png")
        let outcome = try await sandbox.run("load", "out/data-1.png", uri("rgba8"), "-o", "out")
        #expect(outcome.status == 0)
        #expect(try sandbox.names(in: "out") == ["data-1-2.png", "data-1.png", "data-2.png"])
    }

    @Test func `a data URI is stored on disk only on request`() async throws {
        let word = try uri("rgb8")
        for origin in ["loader", "loader"] {
            let outcome = try await sandbox.run("load", "--json", word)
            #expect(try outcome.objects(LoadRecord.self).map(\.from) == [origin])
        }
        for origin in ["loader", "disk"] {
            let outcome = try await sandbox.run("load", "--json", "--set", "storesDataURIs=on", word)
            #expect(try outcome.objects(LoadRecord.self).map(\.from) == [origin])
        }
    }

    @Test(arguments: [
        ["load"], ["load", "--json"], ["info"], ["info", "--json"], ["explain"], ["explain", "--json"],
        ["cache", "path"],
    ])
    func `the data is in no line of output`(words: [String]) async throws {
        let outcome = try await sandbox.run(words + [uri("rgb8")])
        #expect(!(outcome.lines + outcome.errors).isEmpty)
        #expect((outcome.lines + outcome.errors).allSatisfy { !$0.contains(Self.content) })
    }

    @Test func `info and convert accept a data URI`() async throws {
        let info = try await sandbox.run("info", "--json", uri("rgba8"))
        let convert = try await sandbox.run("convert", uri("rgb8"), "b.png")
        #expect(try info.objects(InfoRecord.self).map(\.hasAlpha) == [true])
        #expect(convert.status == 0)
        #expect(try await sandbox.info("b.png")?.width == 33)
    }

    @Test func `the explanation has the loader and the key`() async throws {
        let outcome = try await sandbox.run("explain", uri("rgb8"))
        #expect(outcome.lines.contains { $0.hasPrefix("loader ") && $0.hasSuffix("DataURIImageLoader") })
        #expect(outcome.lines.contains { $0.hasPrefix("source key ") && $0.contains("data:sha256-") })
    }

    @Test(arguments: ["data:image/png;base64,\(DataURITests.content)*", "data:image/png", "data:,"])
    func `the error for an invalid data URI does not repeat it`(word: String) async throws {
        let outcome = try await sandbox.run("load", word)
        #expect(outcome.status == 1)
        #expect(outcome.lines.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: data:") == true)
        #expect(outcome.errors.first?.contains(Self.content) == false)
    }
}
#endif
