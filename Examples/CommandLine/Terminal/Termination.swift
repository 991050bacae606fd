import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process without leaving incomplete files.
enum Termination {
    /// Makes signals that end the process wait for the completion of files.
    /// - Returns: The signal sources, which are active as long as they are retained.
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

    /// Cleans up and terminates with a signal, so that the parent process learns the reason.
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

    /// Cleans up and exits.
    static func end(with code: ExitCode) -> Never {
        Terminal.clear()
        OutputFile.finish()
        exit(code.rawValue)
    }
}
