import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process without leaving partially written files.
enum Termination {
    /// Makes the process complete its output files before a signal ends it.
    /// - Returns: The signal sources. Retain them as long as signals are to be handled.
    static func watch() -> [any DispatchSourceSignal] {
        // A closed pipe must become an error of `write`, after which the process can still clean up.
        signal(SIGPIPE, SIG_IGN)
        // The same applies to a file beyond the size limit: the write fails with EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = signal(number, SIG_IGN)
            // The parent may have chosen to ignore the signal, as `nohup` does.
            guard unsafeBitCast(previous, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue.global())
            source.setEventHandler { end(by: number) }
            source.resume()
            sources.append(source)
        }
        return sources
    }

    /// Completes the output files, and ends the process with a signal, so that the parent process learns the reason.
    static func end(by number: Int32) -> Never {
        Terminal.clear()
        OutputFile.finish()
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // Not reached, since all of these signals end a process. The exit code follows the convention of shells.
        _exit(128 + number)
    }

    /// Completes the output files, and exits with a code.
    static func end(with code: ExitCode) -> Never {
        Terminal.clear()
        OutputFile.finish()
        exit(code.rawValue)
    }
}
