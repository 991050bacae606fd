#if PNG
import CalotypeStandard
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CacheVerifyTests {
    private struct InvertingTransform: DataTransform {
        let identity = "inverted"
        func encode(_ bytes: Data) throws -> Data { Data(bytes.map { ~$0 }) }
        func decode(_ bytes: Data) throws -> Data { Data(bytes.map { ~$0 }) }
    }

    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func verify(_ words: String...) async throws -> Outcome {
        try await sandbox.run(["cache", "verify", "--cache", sandbox.path("mine")] + words)
    }

    private func path(_ source: String) -> String { sandbox.cache().path(for: Sandbox.key(source)) }

    /// Changes one byte of an entry.
    private func damage(_ source: String) throws {
        let file = URL(filePath: path(source))
        var data = try Data(contentsOf: file)
        data[500] ^= 4
        try data.write(to: file)
    }

    @Test func `a sound cache is reported as valid and unchanged`() async throws {
        try sandbox.fill("a", "b", byteCount: 1_100_000)
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.text == "2 valid files, 2.2 MB; no problems\n")
        #expect(sandbox.kept("a", "b") == ["a", "b"])
    }

    @Test func `damaged entries are listed and removed, which is a success`() async throws {
        try sandbox.fill("a", "b", "c")
        try damage("a")
        try Data("torn".utf8).write(to: URL(filePath: path("b")))
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(
            Set(outcome.lines.dropLast()) == [
                "\(path("a")): its checksum does not match; repaired",
                "\(path("b")): it is too short for an entry; repaired",
            ])
        #expect(outcome.lines.last?.hasPrefix("1 valid file, ") == true)
        #expect(outcome.lines.last?.hasSuffix("; 2 problems, all repaired") == true)
        #expect(sandbox.kept("a", "b", "c") == ["c"])
        #expect(try await verify().text.hasSuffix("; no problems\n"))
    }

    @Test func `dates in the future and a directory in the place of an entry are listed`() async throws {
        try sandbox.fill("a", secondsAgo: -100 * 86_400)
        try sandbox.fill("b", "c")
        try FileManager.default.removeItem(atPath: path("b"))
        try FileManager.default.createDirectory(atPath: path("b"), withIntermediateDirectories: true)
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(
            Set(outcome.lines.dropLast()) == [
                "\(path("a")): its modification time is in the future; repaired",
                "\(path("b")): it is a directory in place of an entry; repaired",
            ])
        #expect(outcome.lines.last?.hasPrefix("2 valid files, ") == true)
        #expect(sandbox.kept("a", "b", "c") == ["a", "c"])
        #expect(try await verify().text.hasSuffix("; no problems\n"))
        #expect(try await sandbox.run("cache", "trim", "--cache", "mine", "--older-than", "0s").status == 0)
        #expect(sandbox.kept("a", "c").isEmpty)
    }

    @Test func `a problem that cannot be repaired is a failure, and the rest is repaired`() async throws {
        try sandbox.fill("a", "b")
        try damage("a")
        try sandbox.blockDirectory()
        let outcome = try await verify("--json")
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("/work/mine: 1 problem could not be repaired; ") == true)
        let record = try #require(try outcome.objects(CacheVerificationRecord.self).first)
        #expect(record.entryCount == 1)
        #expect(record.findings.count == 2)
        #expect(record.findings.filter(\.isMended).map(\.path) == [path("a")])
        #expect(record.findings.filter(\.isMended).map(\.reason) == ["its checksum does not match"])
        #expect(sandbox.kept("a", "b") == ["b"])

        let again = try await verify()
        #expect(again.status == 1)
        #expect(again.lines.first?.hasSuffix("; not repaired") == true)
        #expect(again.lines.last?.hasSuffix("; 1 problem, 1 not repaired") == true)
    }

    @Test func `lost tags are restored`() async throws {
        let cache = sandbox.cache()
        try cache.store(CacheEntry(data: Data(count: 100), tags: ["album"]), for: Sandbox.key("a"))
        cache.waitForTrimming()
        let names = try FileManager.default.subpathsOfDirectory(atPath: sandbox.path("mine"))
        let marker = try #require(names.first { $0.contains("/tags/") && $0.split(separator: "/").count == 5 })
        try FileManager.default.removeItem(atPath: sandbox.path("mine/\(marker)"))
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.lines.last?.hasSuffix("; 1 problem, all repaired") == true)
        try sandbox.cache().removeAll(tagged: "album")
        #expect(sandbox.kept("a").isEmpty)
    }

    @Test func `leftovers are removed, entries of other caches stay, and both are counted`() async throws {
        try sandbox.fill("a")
        let foreign = sandbox.cache(secondsAgo: 7200, transform: InvertingTransform())
        try foreign.store(CacheEntry(data: Data(count: 100)), for: Sandbox.key("b"))
        try foreign.store(CacheEntry(data: Data(count: 100), tags: ["album"]), for: Sandbox.key("c"))
        foreign.waitForTrimming()
        // Its tag remains, and is too old to belong to an entry in the process of being stored.
        try FileManager.default.removeItem(atPath: path("c"))
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("1 valid file, "))
        #expect(outcome.text.hasSuffix("; 1 incompatible file kept; 1 leftover file removed; no problems\n"))
        #expect(sandbox.kept("a", "b") == ["a", "b"])
    }

    @Test func `temporary files are removed`() async throws {
        try sandbox.fill("a")
        let leftover = URL(filePath: path("a")).deletingLastPathComponent().appending(path: ".calotype-1-1")
            .path(percentEncoded: false)
        let attributes: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -7200)]
        #expect(FileManager.default.createFile(atPath: leftover, contents: Data("half".utf8)))
        try FileManager.default.setAttributes(attributes, ofItemAtPath: leftover)
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.text.hasSuffix("; 1 leftover file removed; no problems\n"))
        #expect(!FileManager.default.fileExists(atPath: leftover))
        #expect(sandbox.kept("a") == ["a"])
    }

    @Test func `a missing directory is an empty cache, and is not created`() async throws {
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.text == "0 valid files, 0 bytes; no problems\n")
        #expect(try sandbox.names().isEmpty)
    }
}
#endif
