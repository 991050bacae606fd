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

    @Test(arguments: [["info"], ["verify"], ["trim", "--to", "0"], ["clear"]])
    func `a bar, if the work is long enough for one, is gone at the end`(words: [String]) throws {
        try sandbox.fill((0..<50).map { String($0) })
        let terminal = try PseudoTerminal()
        let process = sandbox.makeProcess(["cache", "--cache", "mine"] + words)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.handle()
        try process.run()
        terminal.release()
        terminal.watch()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(!terminal.shown.utf8.contains(UInt8(ascii: "\n")))
        if !terminal.shown.isEmpty {
            #expect(terminal.shown.contains("ing  ["))
            #expect(terminal.shown.hasSuffix("\r\u{1B}[K"))
        }
    }

    @Test(arguments: [["verify"], ["trim", "--to", "0"], ["trim", "--older-than", "0s"], ["clear"]])
    func `an interruption at any time leaves what is there valid`(words: [String]) throws {
        try sandbox.fill((0..<50).map { String($0) }, secondsAgo: 60)
        let process = sandbox.makeProcess(["cache", "--cache", "mine"] + words)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == (process.terminationReason == .uncaughtSignal ? SIGINT : 0))
        let verification = try sandbox.cache().verify()
        #expect(verification.findings == [])
        #expect(verification.leftoverCount == 0)
        #expect(try sandbox.cache().totalCount() == verification.entryCount)
    }
}
#endif
