#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CacheTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Returns the second word of the line that begins with `name`.
    private func value(_ name: String, in outcome: Outcome) -> String? {
        outcome.lines.first { $0.hasPrefix("\(name) ") }?.split(separator: " ").dropFirst().first.map { String($0) }
    }

    @Test func `a cache is counted and cleared`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let before = try await sandbox.run("cache", "info")
        #expect(before.status == 0)
        #expect(value("entries", in: before) == "0")
        #expect(value("bytes", in: before) == "0")
        #expect(value("limit", in: before) == "1073741824")

        _ = try await sandbox.run("load", "--set", "storesFiles=on", "a.png")
        let after = try await sandbox.run("cache", "info")
        #expect(value("entries", in: after) == "1")
        #expect((value("bytes", in: after).flatMap { Int($0) } ?? 0) > 0)

        let cleared = try await sandbox.run("cache", "clear")
        #expect(cleared.status == 0)
        #expect(cleared.text.hasPrefix("removed 1 file, "))
        let empty = try await sandbox.run("cache", "info")
        #expect(value("entries", in: empty) == "0")
        let again = try await sandbox.run("load", "--json", "a.png")
        #expect(try again.objects(LoadRecord.self).map(\.from) == ["loader"])
    }

    @Test func `the file of an original is a picture`() async throws {
        try sandbox.add("rgb8", as: "a b.png")
        _ = try await sandbox.run("load", "--thumbnail", "16x16", "a b.png")
        #expect(
            try await sandbox.run("cache", "path", "a b.png").status == 1,
            "files are copied to the cache only on request")
        _ = try await sandbox.run("load", "--set", "storesFiles=on", "a b.png")
        let outcome = try await sandbox.run("cache", "path", "a b.png")
        let path = try #require(outcome.lines.first)
        #expect(outcome.status == 0)
        #if os(Linux)
        #expect(path.hasPrefix("\(sandbox.cacheHome)/calotype/"))
        #endif
        let data = try #require(FileManager.default.contents(atPath: path))
        let original = try Sandbox.fixture("rgb8")
        #expect(data.starts(with: original))
    }

    @Test func `a missing original is an error`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("cache", "path", "a.png")
        #expect(outcome.status == 1)
        #expect(outcome.lines.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: a.png: ") == true)
    }

    @Test func `another directory is another cache`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        _ = try await sandbox.run("load", "a.png", "--cache", "mine", "--set", "storesFiles=on")
        let mine = try await sandbox.run("cache", "info", "--cache", "mine")
        let usual = try await sandbox.run("cache", "info")
        #expect(value("entries", in: mine) == "1")
        #expect(value("entries", in: usual) == "0")
        #expect(try await sandbox.run("cache", "path", "a.png", "--cache", "mine").status == 0)
        #expect(try await sandbox.run("cache", "path", "a.png").status == 1)
    }

    @Test func `foreign files stay`() async throws {
        try sandbox.add("rgb8", as: "mine/own.png")
        let outcome = try await sandbox.run("cache", "clear", "--cache", "mine")
        #expect(outcome.status == 0)
        #expect(sandbox.exists("mine/own.png"))
    }
}
#endif
