#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LoadTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    // MARK: Origins

    @Test func `a picture is loaded, then found on disk by the next process`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        for origin in ["loader", "disk"] {
            let outcome = try await sandbox.run("load", "--json", "--set", "storesFiles=on", "a.png")
            #expect(try outcome.objects(LoadRecord.self).map(\.from) == [origin])
        }
    }

    @Test func `a file is copied to the cache only on request`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        for _ in 0..<2 {
            let outcome = try await sandbox.run("load", "--json", "a.png")
            #expect(try outcome.objects(LoadRecord.self).map(\.from) == ["loader"])
        }
    }

    @Test func `an edited picture is loaded again, even if its thumbnail is cached`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        _ = try await sandbox.run("load", "--thumbnail", "16x16", "a.png")
        try sandbox.add("gray8", as: "a.png")
        let outcome = try await sandbox.run("load", "--json", "--thumbnail", "16x16", "a.png")
        #expect(try outcome.objects(LoadRecord.self).map(\.from) == ["loader"])
    }

    @Test func `a thumbnail is made, then found on disk by the next process`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        for origin in ["loader", "disk"] {
            let outcome = try await sandbox.run("load", "--json", "--thumbnail", "16x16", "a.png")
            let record = try #require(try outcome.objects(LoadRecord.self).first)
            #expect(record.from == origin)
            #expect(record.originalWidth == 33)
            #expect(record.originalHeight == 17)
            #expect(record.width == 16)
            #expect(record.height == 9)
        }
    }

    @Test func `a source given twice is in memory the second time`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("load", "--json", "a.png", "./a.png")
        let records: [LoadRecord] = try outcome.objects()
        #expect(outcome.status == 0)
        #expect(records.map(\.from) == ["loader", "memory"])
        #expect(records.map(\.width) == [33, 33])
    }

    @Test func `without a cache every source is loaded and nothing is stored`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        for _ in 0..<2 {
            let outcome = try await sandbox.run("load", "--json", "--cache", "none", "a.png", "a.png")
            #expect(try outcome.objects(LoadRecord.self).map(\.from) == ["loader", "loader"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.cacheHome).isEmpty)
    }

    @Test func `a cache can be anywhere`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        for origin in ["loader", "disk"] {
            let outcome = try await sandbox.run(
                "load", "--json", "--cache=my cache", "--set", "storesFiles=on", "a.png")
            #expect(try outcome.objects(LoadRecord.self).map(\.from) == [origin])
        }
        #expect(sandbox.exists("my cache"))
    }

    @Test func `an unwritable cache is a warning, and the picture is delivered`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.write(Data("not a directory".utf8), as: "file")
        let outcome = try await sandbox.run(
            "load", "--cache", "file/below", "--set", "storesFiles=on", "a.png", "-o", "b.png")
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 1)
        #expect(!outcome.errors.isEmpty)
        #expect(outcome.errors.allSatisfy { $0.hasPrefix("calotype: warning: ") })
        #expect(sandbox.exists("b.png"))
    }

    // MARK: Output

    @Test func `a line shows format, sizes, origin and stages`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("load", "--thumbnail", "16x16", "a.png")
        let words = outcome.text.split(whereSeparator: \.isWhitespace).map { String($0) }
        #expect(outcome.lines.count == 1)
        #expect(outcome.errors.isEmpty)
        #expect(words.prefix(6) == ["a.png", "png", "33x17", "->", "16x9", "loader"])
        #expect(words.contains("load"))
        #expect(words.contains("decode"))
        #expect(words.contains("store"))
    }

    @Test func `lines are in the order of the sources, whatever the concurrency`() async throws {
        let names = (1...20).map { "picture \($0).png" }
        for name in names { try sandbox.add("gray8", as: name) }
        let outcome = try await sandbox.run(["load", "--json", "--concurrency", "8"] + names)
        #expect(try outcome.objects(LoadRecord.self).map(\.source) == names)
    }

    @Test func `the milliseconds of each stage are in the record`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run(
            "load", "--json", "--transform", "resize(8x8,fill)|flip(both)", "-o", "b.png", "a.png")
        let record = try #require(try outcome.objects(LoadRecord.self).first)
        #expect(Set(record.milliseconds.keys).isSuperset(of: ["load", "decode", "transform", "store", "output"]))
        #expect(record.milliseconds.values.allSatisfy { $0 >= 0 })
        #expect(record.output == "b.png")
        #expect(record.width == 8)
        #expect(record.height == 8)
    }

    // MARK: Names

    @Test func `names with any character are loaded`() async throws {
        let names = [
            "a b.png", "50%.png", "%41.png", "x#y.png", "q?z=1.png", "~home.png", "12:30.png", "a:b.png", "shot:1.png",
            "-",
        ]
        for name in names { try sandbox.add("gray8", as: name) }
        let sources = Array(names.dropLast()) + ["./-"]
        let outcome = try await sandbox.run(["load", "--json"] + sources)
        #expect(outcome.errors.isEmpty)
        #expect(try outcome.objects(LoadRecord.self).map(\.source) == sources)
    }

    @Test func `after two dashes names may begin with a dash`() async throws {
        try sandbox.add("gray8", as: "--json")
        let outcome = try await sandbox.run("load", "--", "--json")
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("--json "))
    }

    @Test func `a file URL is loaded`() async throws {
        try sandbox.add("gray8", as: "a b.png")
        let url = URL(filePath: sandbox.path("a b.png")).absoluteString
        let outcome = try await sandbox.run("load", "--json", url)
        let record = try #require(try outcome.objects(LoadRecord.self).first)
        #expect(record.source.hasSuffix("/a%20b.png"))
        #expect(record.from == "loader")
    }

    // MARK: Standard input

    @Test func `standard input is decoded and named as the origin`() async throws {
        let outcome = try await sandbox.run("load", "--thumbnail", "16x16", "-", input: Sandbox.fixture("rgb8"))
        let words = outcome.text.split(whereSeparator: \.isWhitespace).map { String($0) }
        #expect(outcome.status == 0)
        #expect(words.prefix(6) == ["-", "png", "33x17", "->", "16x9", "stdin"])
    }

    @Test func `standard input is read no further than the limit`() async throws {
        let outcome = try await sandbox.run(
            "load", "--set", "maxInputBytes=20", "-", input: Sandbox.fixture("rgb8"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: -: has more than 20 bytes; ") == true)
    }

    @Test func `an empty standard input is an error`() async throws {
        let outcome = try await sandbox.run("load", "-")
        #expect(outcome.status == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: -: is empty") == true)
    }

    // MARK: Failures

    @Test func `a missing file does not affect the others`() async throws {
        try sandbox.add("rgb8", as: "good.png")
        let outcome = try await sandbox.run("load", "missing.png", "good.png")
        #expect(outcome.status == 1)
        #expect(outcome.lines.count == 1)
        #expect(outcome.lines.first?.hasPrefix("good.png ") == true)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: missing.png: ") == true)
        #expect(outcome.errors.first?.contains("; ") == true)
    }

    @Test func `an invalid picture fails with a reason`() async throws {
        try sandbox.add("bad-truncated-idat", as: "torn.png")
        try sandbox.write(Data("plain text, and no picture".utf8), as: "text.png")
        try sandbox.write(Data(), as: "empty.png")
        let names = ["torn.png", "text.png", "empty.png", "."]
        let outcome = try await sandbox.run(["load"] + names)
        #expect(outcome.status == 1)
        #expect(outcome.lines.isEmpty)
        #expect(outcome.errors.count == names.count)
        for (name, line) in zip(names, outcome.errors) { #expect(line.hasPrefix("calotype: \(name): ")) }
    }

    @Test func `the error for a URL without a loader has no credentials`() async throws {
        let outcome = try await sandbox.run("load", "gopher://user:secret@example.org/a.png")
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("gopher") == true)
        #expect(outcome.errors.first?.contains("secret") == false)
    }

    @Test(arguments: [" http://user:s3cr3t@host/x", "./http://user:s3cr3t@host/x?token=s3cr3t"])
    func `the error for a path that looks like a URL has no credentials`(word: String) async throws {
        for command in [["load"], ["load", "--json"], ["info"]] {
            let outcome = try await sandbox.run(command + [word])
            let lines = outcome.lines + outcome.errors
            #expect(outcome.status != 0)
            #expect(!lines.isEmpty)
            #expect(lines.allSatisfy { !$0.contains("s3cr3t") }, "\(lines)")
        }
    }

    @Test func `a picture over a given limit is refused`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("load", "--set", "maxPixels=10", "a.png")
        #expect(outcome.status == 1)
        #expect(outcome.lines.isEmpty)
        #expect(outcome.errors.first?.contains("maxPixels") == true)
    }
}
#endif
