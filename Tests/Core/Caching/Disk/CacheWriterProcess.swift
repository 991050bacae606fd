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

/// A process of `calotype-cache-writer` beside the test, which is killed at the latest with the object. All calls
/// block.
///
/// Foundation's `Process` is not used, since on Linux it keeps descriptors for a while after the process has ended.
final class CacheWriterProcess {
    /// The way in which a process ended.
    enum Ending: Equatable {
        case exited(status: Int32)
        case killed(signal: Int32)
    }

    private static let name = "calotype-cache-writer"
    /// The path of the program, which is built beside the tests.
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
    /// The descriptor of the process's reports.
    private let output: Int32
    private var ending: Ending?

    /// Starts the process.
    /// - Parameters:
    ///   - directory: The directory of the cache.
    /// - seed: The seed of the operations.
    /// - mode: The preferred operations.
    /// - count: The number of operations; nil for no limit.
    /// - complaints: The file to which its standard error is appended.
    init(directory: String, seed: Int, mode: WriterMode, count: Int?, complaints: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw FileSystemError(code: errno, operation: "make a pipe for \(CacheWriterProcess.name)", path: directory)
        }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { close(writeEnd) }
        // Other tests start processes too, which must not keep the pipe open.
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

    /// Waits until it has reported `count` more times. Returns false if it ends before.
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

    /// Kills the process with SIGKILL, and waits for its end. Does nothing if its end was awaited before, since its ID
    /// may have been reused.
    @discardableResult
    func stop() -> Ending {
        if ending == nil { kill(process, SIGKILL) }
        return waitUntilExit()
    }

    /// Waits until the process ends.
    func waitUntilExit() -> Ending {
        if let ending { return ending }
        // The default if the system does not know the process.
        var status: Int32 = 255 << 8
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // The macros for the status are not available in Swift.
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
        // The environment contains the options of sanitizers.
        let environment = cStrings(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + environment { free(text) } }
        return posix_spawn(&process, words[0], &actions, nil, arguments, environment)
    }

    /// Returns a NULL-terminated list of C strings. The caller frees each of them.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var pointers: [UnsafeMutablePointer<CChar>?] = []
        for text in texts { pointers.append(strdup(text)) }
        pointers.append(nil)
        return pointers
    }
}
