import CacheWriterKit
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Uses a disk cache until it has done as much as it was told, or is killed.
///
/// Who reads its bytes knows when it begins an operation, and can kill it inside the one of his choice. Whatever goes
/// wrong, an entry that is not the right one above all, ends it with a line on standard error and the status 1.
@main
struct CacheWriter {
    /// One that has taken so many seconds will never end.
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
            // On whatever thread this is, the others are still at work: nothing is tidied up under their hands.
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

    /// Ends the process when it hangs: whoever waits for it has no clock.
    private static func limitTime() {
        // A process inherits which signals are blocked, and threads that start processes may have blocked all.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGALRM)
        sigprocmask(SIG_UNBLOCK, &signals, nil)
        alarm(patience)
    }

    /// Says that it has begun, or that an operation is done.
    private static func report() {
        var byte = UInt8(ascii: ".")
        // Nobody reads any more, and the signal that says so is ignored.
        if write(STDOUT_FILENO, &byte, 1) != 1 { exit(1) }
    }

    private static func complain(_ text: String) {
        let line = Array("calotype-cache-writer: \(text)\n".utf8)
        // Nothing can be done where not even this can be written.
        _ = line.withUnsafeBytes { bytes in write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
