#if PNG
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Directories of its own for one test: one to work in, a cache and a home. Gone with its last user.
final class Sandbox: Sendable {
    private let root: String
    /// Where the tool is run.
    let directory: String
    /// What `XDG_CACHE_HOME` says.
    let cacheHome: String

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID().uuidString)")
            .path(percentEncoded: false)
        directory = "\(root)/work"
        cacheHome = "\(root)/cache"
        for path in [directory, cacheHome, "\(root)/home", "\(root)/streams"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    // MARK: Files

    /// A picture of the PNG coder's tests.
    static func fixture(_ name: String) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appending(path: "PNGCoder/Fixtures/\(name).png"))
    }

    /// Puts a picture into the working directory, or a directory below it.
    func add(_ fixture: String, as name: String) throws { try write(Self.fixture(fixture), as: name) }

    /// Writes a file into the working directory, or a directory below it.
    func write(_ data: Data, as name: String) throws {
        let path = self.path(name)
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: path, contents: data) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// The absolute path of a file in the working directory.
    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// The bytes of a file in the working directory; nil when there is none.
    func data(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }

    /// Whether there is something in the working directory under a name.
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The names in the working directory or a directory below it, hidden ones too, sorted.
    func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// Whether a text is in a file of the tool's caches, or in the name of one.
    func cachesContain(_ text: String) throws -> Bool {
        let names = try FileManager.default.subpathsOfDirectory(atPath: cacheHome)
        return names.contains { name in
            let data = FileManager.default.contents(atPath: "\(cacheHome)/\(name)") ?? Data()
            return name.contains(text) || data.range(of: Data(text.utf8)) != nil
        }
    }

    // MARK: Running

    /// Runs the tool to its end.
    func run(_ arguments: String..., input: Data = Data()) async throws -> Outcome {
        try await run(arguments, input: input)
    }

    /// Runs the tool, or another program of the package, to its end.
    /// - Parameters:
    ///   - commands: Commands of the shell that come first, as `ulimit -n 20`.
    ///   - environment: Variables beside those that all runs have.
    func run(
        _ arguments: [String], of program: String = "calotype", after commands: [String] = [],
        environment: [String: String] = [:], input: Data = Data()
    ) async throws -> Outcome {
        let stream = "\(root)/streams/\(UUID().uuidString)"
        for (name, contents) in [("in", input), ("out", Data()), ("err", Data())] {
            guard FileManager.default.createFile(atPath: "\(stream).\(name)", contents: contents) else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
        let process = makeProcess(arguments, of: program, after: commands, environment: environment)
        let streams = [
            FileHandle(forReadingAtPath: "\(stream).in"), FileHandle(forWritingAtPath: "\(stream).out"),
            FileHandle(forWritingAtPath: "\(stream).err"),
        ]
        // A process that has ended is not given up at once, and what it holds open would add up.
        defer { for stream in streams { try? stream?.close() } }
        process.standardInput = streams[0]
        process.standardOutput = streams[1]
        process.standardError = streams[2]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return Outcome(
            status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
            output: FileManager.default.contents(atPath: "\(stream).out") ?? Data(),
            errors: FileManager.default.contents(atPath: "\(stream).err") ?? Data())
    }

    /// The tool, or another program of the package, not yet running, in the working directory.
    func makeProcess(
        _ arguments: [String], of program: String = "calotype", after commands: [String] = [],
        environment: [String: String] = [:]
    ) -> Process {
        let process = Process()
        let executable = Self.programs.appending(path: program)
        if commands.isEmpty {
            process.executableURL = executable
            process.arguments = arguments
        } else {
            // The shell becomes the program.
            let script = (commands + ["exec \"$0\" \"$@\""]).joined(separator: " && ")
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", script, executable.path(percentEncoded: false)] + arguments
        }
        process.currentDirectoryURL = URL(filePath: directory, directoryHint: .isDirectory)
        process.environment = ProcessInfo.processInfo.environment.merging([
            "XDG_CACHE_HOME": cacheHome, "HOME": "\(root)/home", "CFFIXED_USER_HOME": "\(root)/home", "TERM": "xterm",
        ]) { _, new in new }.merging(environment) { _, new in new }
        return process
    }

    /// Whether the programs are built with AddressSanitizer or ThreadSanitizer, which need an address space and
    /// descriptors of their own.
    static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in dlsym(nil, name) != nil }

    /// The directory that the tests are built into, and all programs too.
    private static let programs: URL = {
        #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
        return bundle.bundleURL.deletingLastPathComponent()
        #else
        return Bundle.main.bundleURL
        #endif
    }()
}
#endif
