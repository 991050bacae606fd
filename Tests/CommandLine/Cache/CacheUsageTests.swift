#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CacheUsageTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    static let wrongLines: [[String]] = [
        ["trim"], ["trim", "--json"], ["trim", "0"], ["trim", "all", "--to", "0"], ["trim", "--to"],
        ["trim", "--to", "--older-than"], ["trim", "--to="], ["info", "--to", "0"], ["info", "--older-than", "0s"],
        ["clear", "--to", "0"], ["clear", "--older-than", "0s"], ["clear", "all"], ["verify", "--to", "0"],
        ["verify", "all"], ["path", "-"], ["path", "a", "b"], ["path", "a", "--json"], ["path", "a", "--to", "0"],
        ["clear", "info"],
    ]

    @Test(arguments: CacheUsageTests.wrongLines)
    func `a wrong command line removes nothing`(words: [String]) async throws {
        try sandbox.fill("a", secondsAgo: 60)
        let outcome = try await sandbox.run(["cache", "--cache", "mine"] + words)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasSuffix("see 'calotype --help'") == true)
        #expect(sandbox.kept("a") == ["a"])
    }

    @Test func `missing and superfluous arguments are named`() async throws {
        let lines: [(words: [String], texts: [String])] = [
            ([], ["info", "clear", "trim", "path", "verify"]), (["dance"], ["'dance'", "trim", "verify"]),
            (["trim"], ["--to SIZE", "--older-than AGE"]),
            (["clear", "--to", "0"], ["cache clear does not accept --to"]),
            (["path", "a", "--json"], ["cache path does not accept --json"]),
        ]
        for (words, texts) in lines {
            let outcome = try await sandbox.run(["cache"] + words)
            for text in texts { #expect(outcome.errors.first?.contains(text) == true, "\(words)") }
        }
    }

    @Test func `the help describes each action and its options`() async throws {
        let outcome = try await sandbox.run("cache", "--help")
        for action in ["info", "clear", "trim", "path SOURCE", "verify"] {
            #expect(outcome.lines.contains { $0.hasPrefix("\(action) ") })
        }
        for option in ["--to SIZE", "--older-than AGE", "--cache DIR", "--json"] {
            #expect(outcome.lines.contains { $0.hasPrefix("  \(option) ") })
        }
        #expect(outcome.text.contains("exit code 1"))
    }

    @Test func `an invalid source is an error about the source`() async throws {
        let outcome = try await sandbox.run("cache", "path", "http://somebody:pass-word@[/a.png")
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: http:") == true)
        #expect(outcome.errors.first?.contains("pass-word") == false)
    }
}
#endif
