#if PNG
import CalotypeStandard
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CacheTrimTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func trim(_ words: String...) async throws -> CacheRemovalRecord {
        let outcome = try await sandbox.run(["cache", "trim", "--json", "--cache", "mine"] + words)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        return try #require(try outcome.objects(CacheRemovalRecord.self).first)
    }

    /// Stores four entries of equal size. `d` is the newest; the others are an hour, three hours and two days old.
    /// - Returns: The number of bytes in each.
    private func fillFour() throws -> Int {
        try sandbox.fill("a", secondsAgo: 48 * 3600)
        try sandbox.fill("b", secondsAgo: 3 * 3600)
        try sandbox.fill("c", secondsAgo: 3600)
        try sandbox.fill("d")
        return try sandbox.cache().totalByteCount() / 4
    }

    @Test func `the oldest entries are removed down to the given size`() async throws {
        let unit = try fillFour()
        let record = try await trim("--to", "\(2 * unit)")
        #expect(record.removedCount == 2)
        #expect(record.removedByteCount == 2 * unit)
        #expect(record.entryCount == 2)
        #expect(record.byteCount == 2 * unit)
        #expect(sandbox.kept("a", "b", "c", "d") == ["c", "d"])
    }

    @Test func `entries older than the given age are removed`() async throws {
        _ = try fillFour()
        #expect(try await trim("--older-than", "2h").removedCount == 2)
        #expect(sandbox.kept("a", "b", "c", "d") == ["c", "d"])
    }

    @Test func `with both options, entries are removed by age first and then by size`() async throws {
        let unit = try fillFour()
        #expect(try await trim("--older-than", "1d", "--to", "\(2 * unit)").removedCount == 2)
        #expect(sandbox.kept("a", "b", "c", "d") == ["c", "d"])
        #expect(try await trim("--to", "\(2 * unit)", "--older-than", "30min").removedCount == 1)
        #expect(sandbox.kept("c", "d") == ["d"])
    }

    @Test func `a trim does not apply the default expiration of a program`() async throws {
        try sandbox.fill("a", secondsAgo: 8 * 86_400)
        try sandbox.fill("b")
        #expect(try await trim("--to", "1G").removedCount == 0)
        #expect(sandbox.kept("a", "b") == ["a", "b"])
    }

    @Test func `the text output has the removed and the remaining entries`() async throws {
        try sandbox.fill("a", byteCount: 7_400_000, secondsAgo: 60)
        try sandbox.fill("b", byteCount: 2_300_000)
        let trimmed = try await sandbox.run("cache", "trim", "--cache", "mine", "--to", "5MB")
        #expect(trimmed.text == "removed 1 file, 7.4 MB; 1 file, 2.3 MB left\n")
        let cleared = try await sandbox.run("cache", "clear", "--cache", "mine")
        #expect(cleared.text == "removed 1 file, 2.3 MB; 0 files, 0 bytes left\n")
        #expect(try sandbox.cache().totalCount() == 0)
    }

    @Test(arguments: [["clear"], ["trim", "--to", "0"], ["trim", "--older-than", "1s"]])
    func `a missing directory is an empty cache, and is not created`(words: [String]) async throws {
        let outcome = try await sandbox.run(["cache", "--cache", "mine"] + words)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.text == "removed 0 files, 0 bytes; 0 files, 0 bytes left\n")
        #expect(try sandbox.names().isEmpty)
    }

    @Test(arguments: [["clear"], ["trim", "--to", "0"], ["trim", "--older-than", "1h"]])
    func `a directory that cannot be listed is an error, and the rest is removed`(words: [String]) async throws {
        try sandbox.fill("a", "b", secondsAgo: 2 * 3600)
        try sandbox.blockDirectory()
        let outcome = try await sandbox.run(["cache", "--cache", "mine"] + words)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("/work/mine: ") == true)
        #expect(sandbox.kept("a", "b").isEmpty)
    }

    @Test func `foreign files stay`() async throws {
        try sandbox.fill("a")
        try sandbox.add("rgb8", as: "mine/own.png")
        #expect(try await trim("--to", "0", "--older-than", "0s").entryCount == 0)
        #expect(sandbox.exists("mine/own.png"))
    }

    // MARK: Syntax

    /// Stores an entry whose file has 1536 bytes.
    private func fillExactly() throws {
        try sandbox.fill("a", byteCount: 1000)
        let overhead = try sandbox.cache().totalByteCount() - 1000
        try sandbox.fill("a", byteCount: 1536 - overhead)
        let byteCount = try sandbox.cache().totalByteCount()
        #expect(byteCount == 1536)
    }

    @Test func `sizes with room for an entry of 1536 bytes remove nothing`() async throws {
        try fillExactly()
        for text in ["1536", "1536 bytes", "1.536k", "1.536 kB", "1.5KiB", "1.5 ki", "2K", "0.002MB", "1G", "1TiB"] {
            #expect(try await trim("--to", text).removedCount == 0, "\(text)")
        }
    }

    @Test(arguments: ["0", "1535", "1535b", "1.5k", "1.5KB", "1.49KiB", "0.0014Mi"])
    func `sizes without room for an entry of 1536 bytes remove it`(text: String) async throws {
        try fillExactly()
        #expect(try await trim("--to", text).removedCount == 1)
    }

    @Test func `ages above 90 minutes keep an entry of 90 minutes`() async throws {
        try sandbox.fill("a", secondsAgo: 5400)
        for text in ["9000s", "150min", "150 m", "2.5h", "1d", "0.1d", "1w"] {
            #expect(try await trim("--older-than", text).removedCount == 0, "\(text)")
        }
    }

    @Test(arguments: ["0s", "5399s", "89min", "89m", "1.25 h", "0.06d", "0.008w"])
    func `ages below 90 minutes remove an entry of 90 minutes`(text: String) async throws {
        try sandbox.fill("a", secondsAgo: 5400)
        #expect(try await trim("--older-than", text).removedCount == 1)
    }

    @Test func `an invalid size or age removes nothing`() async throws {
        try sandbox.fill("a", secondsAgo: 5400)
        let sizes = ["M", "-5", "1.5", "1e3", "0x10", "1.2.3k", "5  k", "nan", "9999999999T"]
        let ages = ["7", "-1d", "1M", "1e3s", "1d12h", "99999999999w"]
        for words in sizes.map({ ["--to", $0] }) + ages.map({ ["--older-than", $0] }) {
            let outcome = try await sandbox.run(["cache", "trim", "--cache", "mine"] + words)
            #expect(outcome.status == 64, "\(words)")
            #expect(outcome.errors.first?.contains("\(words[0]) takes a ") == true, "\(words)")
            #expect(outcome.errors.first?.contains("not '\(words[1])'") == true, "\(words)")
        }
        #expect(sandbox.kept("a") == ["a"])
    }
}
#endif
