import CacheWriterKit
import Calotype
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A `calotype-cache-writer` that runs beside the test, and is killed with the object at the latest. All calls block.
///
/// Not Foundation's `Process`, which on Linux keeps descriptors for a while after the process has ended.
final class CacheWriterProcess {
    /// How a process ended.
    enum Ending: Equatable {
        case exited(status: Int32)
        case killed(signal: Int32)
    }

    private static let name = "calotype-cache-writer"
    /// Where it is built: beside the tests, as all programs are.
    private static let program: String = {
        #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
        let directory = bundle.bundleURL.deletingLastPathComponent()
        #else
        let directory = Bundle.main.bundleURL
        #endif
        return directory.appending(path: name).path(percentEncoded: false)
    }()

    private let process: pid_t
    /// What it reports by.
    private let output: Int32
    private var ending: Ending?

    /// Starts one.
    /// - Parameters:
    ///   - directory: The directory of the cache.
    ///   - seed: What chooses the operations.
    ///   - mode: What it does most.
    ///   - count: How many operations; nil for no end.
    ///   - complaints: The file that its standard error is appended to.
    init(directory: String, seed: Int, mode: WriterMode, count: Int?, complaints: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw FileSystemError(code: errno, operation: "make a pipe for \(CacheWriterProcess.name)", path: directory)
        }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { close(writeEnd) }
        // Other tests begin processes too: none of them should keep the pipe open.
        for end in [readEnd, writeEnd] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let program = CacheWriterProcess.program
        var words = [program, directory, "\(seed)", mode.rawValue]
        if let count { words.append("\(count)") }
        var process: pid_t = 0
        let code = CacheWriterProcess.start(&process, words, output: writeEnd, complaints: complaints)
        guard code == 0 else {
            close(readEnd)
            throw FileSystemError(code: code, operation: "start \(program)", path: program)
        }
        self.process = process
        output = readEnd
    }

    deinit {
        stop()
        close(output)
    }

    /// Waits until it has told so many more times that it began or did something. False when it ends before.
    func waitForReports(_ count: Int) -> Bool {
        var buffer = [UInt8](repeating: 0, count: count)
        var missing = count
        while missing > 0 {
            let received = buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, missing) }
            if received > 0 {
                missing -= received
            } else if received == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Kills it by a signal that it cannot catch, and waits for it. Does nothing when it was waited for before: its
    /// number may be another's by now.
    @discardableResult
    func stop() -> Ending {
        if ending == nil { kill(process, SIGKILL) }
        return waitUntilExit()
    }

    /// Waits until it ends.
    func waitUntilExit() -> Ending {
        if let ending { return ending }
        // Stays so should the system know of no such process.
        var status: Int32 = 255 << 8
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // The macros that take it apart are not there for Swift.
        let signal = status & 0x7F
        let ending = signal == 0 ? Ending.exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
        self.ending = ending
        return ending
    }

    private static func start(
        _ process: inout pid_t, _ words: [String], output: Int32, complaints: String
    ) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints, O_WRONLY | O_CREAT | O_APPEND, 0o600)

        let arguments = cStrings(words)
        // Sanitizers are told by it what to do.
        let environment = cStrings(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + environment { free(text) } }
        return posix_spawn(&process, words[0], &actions, nil, arguments, environment)
    }

    /// Texts as the system wants them, with nothing after the last. The caller frees each.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var pointers: [UnsafeMutablePointer<CChar>?] = []
        for text in texts { pointers.append(strdup(text)) }
        pointers.append(nil)
        return pointers
    }
}
