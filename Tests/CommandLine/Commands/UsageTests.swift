#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UsageTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    static let wrongLines: [[String]] = [
        [], ["dance"], ["--nonsense"], ["load"], ["load", ""], ["load", "-", "-"], ["load", "a.png", "--nonsense"],
        ["load", "a.png", "--frame", "1"], ["load", "a.png", "--thumbnail"], ["load", "a.png", "--thumbnail", "large"],
        ["load", "a.png", "--thumbnail", "0x0"], ["load", "a.png", "--thumbnail", "--json"],
        ["load", "a.png", "--json=yes"], ["load", "a.png", "--quality", "0"], ["load", "a.png", "--quality", "101"],
        ["load", "a.png", "--quality", "good"], ["load", "a.png", "--concurrency", "0"], ["load", "a.png", "-o", ""],
        ["load", "a.png", "-o", "-"], ["load", "a.png", "--format", "png"], ["load", "a.png", "--set", "maxPixels"],
        ["load", "a.png", "--set", "maxPixels=many"], ["load", "a.png", "--transform", "dance(1)"],
        ["load", "a.png", "--transform", "resize(large)"], ["load", "a.png", "--cache="], ["convert", "a.png"],
        ["convert", "a.png", "b.png", "c.png"], ["convert", "a.png", "b.png", "--cache", "none"],
        ["convert", "a.png", "b.png", "--frame", "-1"], ["info"], ["info", "--thumbnail", "8x8", "a.png"],
        ["explain"], ["explain", "-"], ["explain", "a.png", "b.png"], ["plugins", "all"], ["cache"],
        ["cache", "dance"], ["cache", "path"], ["cache", "info", "a.png"], ["cache", "clear", "--cache", "none"],
    ]

    @Test(arguments: UsageTests.wrongLines)
    func `a wrong command line ends with 64 and one line that leads to the help`(words: [String]) async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: ") == true)
        #expect(outcome.errors.first?.hasSuffix("see 'calotype --help'") == true)
        #expect(try sandbox.names() == ["a.png"])
    }

    @Test func `the error names the wrong option`() async throws {
        let unknown = try await sandbox.run("load", "a.png", "--nonsense=1")
        let missing = try await sandbox.run("load", "a.png", "--thumbnail")
        let misplaced = try await sandbox.run("info", "a.png", "-o", "b.png")
        #expect(unknown.errors.first?.contains("'--nonsense'") == true)
        #expect(missing.errors.first?.contains("--thumbnail") == true)
        #expect(misplaced.errors.first?.contains("'-o' for info") == true)
    }

    @Test func `the error for an unknown key lists the known ones`() async throws {
        let outcome = try await sandbox.run("load", "a.png", "--set", "nonsense=1")
        #expect(outcome.status == 64)
        for word in ["nonsense", "maxPixels", "thumbnailPixelSize", "timeout"] {
            #expect(outcome.errors.first?.contains(word) == true)
        }
    }

    @Test func `the error for an unknown transformer lists the known ones`() async throws {
        let outcome = try await sandbox.run("load", "a.png", "--transform", "dance(1)")
        #expect(outcome.errors.first?.contains("resize") == true)
    }

    @Test(arguments: [["--help"], ["-h"]])
    func `help lists the commands`(words: [String]) async throws {
        let outcome = try await sandbox.run(words)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        for command in ["load", "convert", "info", "explain", "plugins", "cache"] {
            #expect(outcome.lines.contains { $0.hasPrefix("  \(command) ") })
        }
    }

    @Test(arguments: ["load", "convert", "info", "explain", "plugins", "cache"])
    func `each command has its own help, in lines that fit`(command: String) async throws {
        let outcome = try await sandbox.run(command, "--help")
        #expect(outcome.status == 0)
        #expect(outcome.lines.first?.hasPrefix("usage: calotype \(command)") == true)
        #expect(outcome.lines.contains { $0.contains("--help") })
        #expect(outcome.lines.allSatisfy { $0.count <= 120 })
    }

    @Test func `the version is printed`() async throws {
        let outcome = try await sandbox.run("--version")
        #expect(outcome.status == 0)
        #expect(outcome.text == "calotype 0.1.0\n")
    }

    @Test func `options may be anywhere and use an equals sign`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("load", "--thumbnail=16x16", "a.png", "--json", "--output=b.png")
        #expect(try outcome.objects(LoadRecord.self).map(\.width) == [16])
        #expect(sandbox.exists("b.png"))
    }
}
#endif
