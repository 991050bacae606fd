#if PNG
import CalotypeStandard
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheTerminalTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let sources = (0..<200).map { String($0) }

    /// Adds sparse files to the entries, which take long to read.
    /// - Returns: The directories of the files.
    private func addLargeFiles(_ count: Int) throws -> [URL] {
        try (0..<count).map { number in
            let file = URL(filePath: sandbox.cache().path(for: Sandbox.key("large \(number)")))
            let directory = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let path = file.path(percentEncoded: false)
            guard FileManager.default.createFile(atPath: path, contents: nil), truncate(path, 64 << 20) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
            return directory
        }
    }

    private func makeProcess(_ words: [String]) -> Process {
        let process = sandbox.makeProcess(["cache", "--cache", "mine"] + words)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    /// Expects that all remaining entries are valid after an interruption, and returns their number.
    private func expectValidRest() throws -> Int {
        let verification = try sandbox.cache().verify()
        #expect(verification.findings == [])
        #expect(verification.leftoverCount == 0)
        #expect(try sandbox.cache().totalCount() == verification.entryCount)
        return verification.entryCount
    }

    @Test(arguments: [("verify", "verifying"), ("info", "counting")])
    func `long work shows a progress bar, which is removed at the end`(word: String, name: String) throws {
        _ = try addLargeFiles(6)
        let terminal = try PseudoTerminal()
        let process = makeProcess([word])
        process.standardError = terminal.handle()
        try process.run()
        terminal.release()
        terminal.watch()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(terminal.shown.contains("\r\(name)  ["))
        #expect(terminal.shown.hasSuffix("\r\u{1B}[K"))
        #expect(!terminal.shown.utf8.contains(UInt8(ascii: "\n")))
    }

    @Test func `an interruption while entries are read leaves them all, and no bar`() throws {
        try sandbox.fill(Self.sources)
        let directories = try addLargeFiles(20)
        let terminal = try PseudoTerminal()
        let process = makeProcess(["verify"])
        process.standardError = terminal.handle()
        try process.run()
        terminal.release()
        terminal.watch(until: "verifying  [")
        process.interrupt()
        terminal.watch()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGINT)
        #expect(terminal.shown.hasSuffix("\r\u{1B}[K"))
        for directory in directories { try? FileManager.default.removeItem(at: directory) }
        #expect(try expectValidRest() == Self.sources.count)
    }

    @Test(arguments: [["trim", "--to", "0"], ["trim", "--older-than", "0s"], ["clear"]])
    func `an interruption while entries are removed leaves the others`(words: [String]) throws {
        try sandbox.fill(Self.sources, secondsAgo: 60)
        let cache = sandbox.cache()
        let paths = Self.sources.map { cache.path(for: Sandbox.key($0)) }
        let process = makeProcess(words)
        try process.run()
        while process.isRunning, paths.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) { sched_yield() }
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == (process.terminationReason == .uncaughtSignal ? SIGINT : 0))
        #expect(try expectValidRest() < Self.sources.count)
    }
}
#endif
