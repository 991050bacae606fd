#if PNG
import CalotypeStandard
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CacheInfoTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func info(_ words: String...) async throws -> Outcome {
        try await sandbox.run(["cache", "info", "--cache", sandbox.path("mine")] + words)
    }

    private func record() async throws -> CacheInfoRecord {
        let outcome = try await info("--json")
        #expect(outcome.status == 0)
        return try #require(try outcome.objects(CacheInfoRecord.self).first)
    }

    /// Returns the text after a word at the beginning of a line.
    private func fact(_ name: String, in outcome: Outcome) -> String? {
        let line = outcome.lines.first { $0.hasPrefix("\(name) ") }
        return line.map { $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces) }
    }

    @Test func `a missing directory is an empty cache, and is not created`() async throws {
        let outcome = try await info()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(fact("directory", in: outcome)?.hasSuffix("/work/mine") == true)
        #expect(fact("entries", in: outcome) == "0 (0 expired)")
        #expect(fact("bytes", in: outcome) == "0 (0 bytes)")
        #expect(fact("limit", in: outcome) == nil)
        #expect(fact("oldest", in: outcome) == "none")
        #expect(fact("hit ratio", in: outcome) == "unknown")
        #expect(!outcome.lines.contains("largest:"))
        let record = try await self.record()
        #expect(record.entryCount == 0)
        #expect(record.oldestAge == nil)
        #expect(record.hitRatio == nil)
        #expect(try sandbox.names().isEmpty)
    }

    @Test func `the limit is shown for the tool's own directory`() async throws {
        let outcome = try await sandbox.run("cache", "info")
        #expect(fact("limit", in: outcome) == "1073741824 (1.1 GB), 0.0% used")
        let own = try await sandbox.run("cache", "info", "--json")
        #expect(try own.objects(CacheInfoRecord.self).map(\.byteLimit) == [1 << 30])
        #expect(try await record().byteLimit == nil)
    }

    @Test func `entries, bytes and ages equal those of the directory`() async throws {
        try sandbox.fill("a", secondsAgo: 8.5 * 86_400)
        try sandbox.fill("b", "c", byteCount: 2000, secondsAgo: 305)
        let outcome = try await info()
        let byteCount = try sandbox.cache().totalByteCount()
        #expect(outcome.status == 0)
        #expect(fact("entries", in: outcome) == "3 (1 expired)")
        #expect(fact("bytes", in: outcome)?.hasPrefix("\(byteCount) (5.") == true)
        #expect(fact("oldest", in: outcome) == "8 d")
        #expect(fact("newest", in: outcome) == "5 min")
        let record = try await self.record()
        #expect(record.entryCount == 3)
        #expect(record.expiredCount == 1)
        #expect(record.byteCount == byteCount)
        #expect(record.oldestAge.map { $0 >= 734_400 && $0 < 735_000 } == true)
        #expect(record.newestAge.map { $0 >= 305 && $0 < 905 } == true)
    }

    @Test func `the hit ratio is shown with its reads`() async throws {
        try sandbox.fill("a")
        let cache = sandbox.cache()
        for source in ["a", "b", "c", "d"] { _ = try cache.entry(for: Sandbox.key(source)) }
        try cache.store(CacheEntry(data: Data(count: 10)), for: Sandbox.key("b"))
        cache.waitForTrimming()
        let outcome = try await info()
        #expect(fact("hit ratio", in: outcome) == "25.0% (1 of 4 reads)")
        let record = try await self.record()
        #expect(record.hits == 1)
        #expect(record.misses == 3)
        #expect(record.hitRatio == 0.25)
    }

    @Test func `reads of a process that stores nothing are counted`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        _ = try await sandbox.run("load", "--cache", "mine", "--set", "storesFiles=on", "a.png")
        let hits = try await record().hits
        _ = try await sandbox.run("load", "--cache", "mine", "--set", "storesFiles=on", "a.png")
        #expect(try await record().hits > hits)
    }

    @Test func `the five largest are listed, the largest first`() async throws {
        for (index, name) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            try sandbox.fill(name, byteCount: 100 + 900 * index)
        }
        let variant = VariantKey(source: SourceKey("g"), variant: "thumbnailPixelSize=16x16")
        try sandbox.cache().store(CacheEntry(data: Data(count: 123_000)), for: variant)
        let outcome = try await info()
        let heading = try #require(outcome.lines.firstIndex(of: "largest:"))
        // The size with its unit, then the source.
        let items = outcome.lines[(heading + 1)...].map { line in
            line.split(separator: " ", maxSplits: 2).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(items.map(\.last) == ["g [thumbnailPixelSize=16x16]", "f", "e", "d", "c"])
        #expect(items.first?.first?.hasPrefix("123.") == true)
        let record = try await self.record()
        #expect(record.largest.map(\.source) == ["g", "f", "e", "d", "c"])
        #expect(record.largest.map(\.variant) == ["thumbnailPixelSize=16x16", "", "", "", ""])
        #expect(record.largest.first?.path == sandbox.cache().path(for: variant))
    }

    @Test func `secrets of a stored URL are not shown`() async throws {
        try sandbox.fill("https://somebody:pass-word@example.org/a.png?size=2&token=tell-nobody")
        try sandbox.fill("avatar of somebody?token=tell-nobody")
        let text = try await info()
        let json = try await info("--json")
        for outcome in [text, json] {
            #expect(outcome.status == 0)
            #expect(outcome.text.contains("https://example.org/a.png?size=2&token=redacted"))
            #expect(outcome.text.contains("avatar of somebody"))
            for secret in ["somebody:", "pass-word", "tell-nobody"] { #expect(!outcome.text.contains(secret)) }
        }
    }

    @Test func `any key takes one line of limited length`() async throws {
        try sandbox.fill("odd\n\u{1B}[31m\u{0}name", String(repeating: "x", count: 100_000))
        let outcome = try await info()
        let heading = try #require(outcome.lines.firstIndex(of: "largest:"))
        let items = outcome.lines[(heading + 1)...]
        #expect(items.count == 2)
        #expect(items.allSatisfy { $0.count < 250 })
        #expect(!outcome.text.contains("\u{1B}"))
    }

    @Test func `an unreadable entry is named by its file`() async throws {
        try sandbox.fill("a", "b")
        let path = sandbox.cache().path(for: Sandbox.key("a"))
        try Data(repeating: 1, count: 5000).write(to: URL(filePath: path))
        let outcome = try await info()
        #expect(outcome.status == 0)
        #expect(outcome.lines.contains { $0.hasSuffix(" \(path)") })
        #expect(try await record().largest.map(\.source) == [nil, "b"])
    }

    @Test func `a directory that cannot be counted is an error`() async throws {
        try sandbox.fill("a")
        try sandbox.blockDirectory()
        let outcome = try await info()
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("/work/mine: the entries of the cache could not be counted") == true)
    }

    @Test(arguments: [["info"], ["clear"], ["trim", "--to", "0"], ["path", "a.png"], ["verify"]])
    func `a world-writable directory is not used, and a link that leads nowhere is named in the error`(
        words: [String]
    ) async throws {
        try sandbox.fill("a")
        try sandbox.add("rgb8", as: "a.png")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: sandbox.path("mine"))
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("link"), withDestinationPath: sandbox.path("nowhere"))
        let reasons = [
            ("mine", "/work/mine: the cache is not used: every user may write to the directory, "),
            ("link", "/work/link is a symbolic link to a missing target; "),
        ]
        for (name, reason) in reasons {
            let outcome = try await sandbox.run(["cache"] + words + ["--cache", name])
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.count == 1)
            #expect(outcome.errors.first?.contains(reason) == true)
        }
        let loaded = try await sandbox.run("load", "--cache", "mine", "a.png")
        #expect(loaded.status == 0)
        #expect(loaded.errors.contains { $0.contains(reasons[0].1) })
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sandbox.path("mine"))
        #expect(sandbox.kept("a") == ["a"])
    }

    @Test(arguments: [["info"], ["clear"], ["trim", "--to", "0"], ["path", "a.png"], ["verify"]])
    func `a file in the place of the directory is an error for every action`(words: [String]) async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run(["cache"] + words + ["--cache", "a.png"])
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("/work/a.png: is not a directory; ") == true)
        #expect(sandbox.exists("a.png"))
    }
}
#endif
