#if PNG
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The directories of one test: a working directory, a cache and a home. They are removed with the last reference.
final class Sandbox: Sendable {
    private let root: String
    /// The working directory of the tool.
    let directory: String
    /// The value of `XDG_CACHE_HOME`.
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

    /// Returns a picture of the PNG coder's tests.
    static func fixture(_ name: String) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appending(path: "PNGCoder/Fixtures/\(name).png"))
    }

    /// Writes a picture into the working directory or a subdirectory.
    func add(_ fixture: String, as name: String) throws { try write(Self.fixture(fixture), as: name) }

    /// Writes a file into the working directory or a subdirectory.
    func write(_ data: Data, as name: String) throws {
        let path = self.path(name)
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: path, contents: data) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Returns the absolute path of a file in the working directory.
    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Returns the bytes of a file in the working directory; nil if it does not exist.
    func data(_ name: String) -> Data? { FileManager.default.contents(atPath: path(name)) }

    /// Returns whether the working directory contains a file of that name.
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Returns the sorted names in the working directory or a subdirectory, including hidden ones.
    func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }

    /// Returns whether a file of the tool's caches, or its name, contains a text.
    func cachesContain(_ text: String) throws -> Bool {
        let names = try FileManager.default.subpathsOfDirectory(atPath: cacheHome)
        return names.contains { name in
            let data = FileManager.default.contents(atPath: "\(cacheHome)/\(name)") ?? Data()
            return name.contains(text) || data.range(of: Data(text.utf8)) != nil
        }
    }

    // MARK: Running

    /// Runs the tool and waits for its end.
    func run(_ arguments: String..., input: Data = Data()) async throws -> Outcome {
        try await run(arguments, input: input)
    }

    /// Runs the tool, or another program of the package, and waits for its end.
    /// - Parameters:
    /// - commands: Shell commands that run first, such as `ulimit -n 20`.
    /// - environment: Variables in addition to those of all runs.
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
        // A process that has ended is not released at once, and its open descriptors would accumulate.
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

    /// Returns a process for the tool, or another program of the package, which is not yet running.
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
            // The shell is replaced by the program.
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

    /// The directory of programs of another build, which the tests start instead of their own.
    private static let otherPrograms = ProcessInfo.processInfo.environment["CALOTYPE_PROGRAMS"]

    /// Whether the programs are built with AddressSanitizer or ThreadSanitizer, which need additional address space and
    /// descriptors.
    static let isSanitized =
        otherPrograms == nil
        && ["__asan_init", "__tsan_init"].contains { (name: String) in dlsym(nil, name) != nil }

    /// The directory that contains all programs: the build directory of the tests, unless another one is given.
    private static let programs: URL = {
        if let otherPrograms { return URL(filePath: otherPrograms, directoryHint: .isDirectory) }
        #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
        return bundle.bundleURL.deletingLastPathComponent()
        #else
        return Bundle.main.bundleURL
        #endif
    }()
}
#endif
