import CacheWriterKit
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Uses a disk cache for a number of operations, or until it is killed.
///
/// A test that reads its output knows when an operation begins, and can kill the process during a chosen one. Any
/// failure, in particular a wrong entry, ends the process with a line on standard error and the status 1.
@main
struct CacheWriter {
    /// The timeout in seconds, after which the process counts as hanging.
    private static let patience: UInt32 = 60

    static func main() {
        limitTime()
        do {
            try use(WriterOptions(Array(CommandLine.arguments.dropFirst())))
        } catch let error as UsageError {
            complain("\(error.message)\n\n\(WriterOptions.usage)")
            exit(64)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func use(_ options: WriterOptions) throws {
        let directory = URL(filePath: options.directory, directoryHint: .isDirectory)
        let cache = DiskCache(at: directory, configuration: WrittenEntry.configuration) { issue in
            CacheWriter.complain("\(issue)")
            // Exit without cleanup, since other threads are still running.
            _exit(1)
        }
        var workload = Workload(cache, mode: options.mode, seed: options.seed)
        report()
        for _ in 0..<options.count {
            try workload.step()
            report()
        }
        cache.waitForTrimming()
    }

    /// Ends the process if it hangs, since the waiting test has no timeout.
    private static func limitTime() {
        // The signal mask is inherited, and threads that start processes may have blocked all signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGALRM)
        sigprocmask(SIG_UNBLOCK, &signals, nil)
        alarm(patience)
    }

    /// Reports the start, or the end of an operation.
    private static func report() {
        var byte = UInt8(ascii: ".")
        // The reader is gone, and SIGPIPE is ignored.
        if write(STDOUT_FILENO, &byte, 1) != 1 { exit(1) }
    }

    private static func complain(_ text: String) {
        let line = Array("calotype-cache-writer: \(text)\n".utf8)
        // If even this cannot be written, nothing can be done.
        _ = line.withUnsafeBytes { bytes in write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
