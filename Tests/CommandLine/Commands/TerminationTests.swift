#if PNG
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
struct TerminationTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `a closed standard output ends the tool quietly`() throws {
        let output = Pipe()
        let errors = Pipe()
        try output.fileHandleForReading.close()
        let process = sandbox.makeProcess(["plugins"])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.fileHandleForWriting
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGPIPE)
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        #expect(complaints.isEmpty)
    }

    @Test func `a terminal shows a progress bar, which is removed at the end`() throws {
        let terminal = try PseudoTerminal()
        let input = Pipe()
        let process = sandbox.makeProcess(["load", "-"])
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.handle()
        try process.run()
        terminal.release()

        // The tool waits for its input, so that the bar is drawn.
        terminal.watch(until: "0/1  [")
        try input.fileHandleForWriting.write(contentsOf: Sandbox.fixture("rgb8"))
        try input.fileHandleForWriting.close()
        terminal.watch()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(terminal.shown.contains("\r0/1  ["))
        #expect(terminal.shown.hasSuffix("\r\u{1B}[K"))
        #expect(!terminal.shown.utf8.contains(UInt8(ascii: "\n")))
    }

    @Test func `an interrupted load leaves neither a file nor a progress bar`() throws {
        let terminal = try PseudoTerminal()
        let input = Pipe()
        let process = sandbox.makeProcess(["load", "-", "-o", "a.png"])
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.handle()
        try process.run()
        terminal.release()

        terminal.watch(until: "0/1  [")
        process.interrupt()
        terminal.watch()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGINT)
        #expect(terminal.shown.hasSuffix("\r\u{1B}[K"))
        #expect(try sandbox.names().isEmpty)
    }
}
#endif
