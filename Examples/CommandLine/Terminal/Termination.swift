import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ending before the end: nothing half-written stays behind.
enum Termination {
    /// Has signals that end the process wait for files to be whole.
    /// - Returns: What listens to the signals, for as long as it is held.
    static func watch() -> [any DispatchSourceSignal] {
        // That a reader has gone is to be an error of `write`, after which the process can still clear away.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that grows beyond the limit on files: the write fails with EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = signal(number, SIG_IGN)
            // Whoever started the process may want it to live on, as `nohup` does.
            guard unsafeBitCast(previous, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue.global())
            source.setEventHandler { end(by: number) }
            source.resume()
            sources.append(source)
        }
        return sources
    }

    /// Clears away and dies of a signal, so that whoever waits for the process learns the reason.
    static func end(by number: Int32) -> Never {
        Terminal.clear()
        OutputFile.finish()
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // Not reached: all of these signals end a process. As a shell would put it.
        _exit(128 + number)
    }

    /// Clears away and exits.
    static func end(with code: ExitCode) -> Never {
        Terminal.clear()
        OutputFile.finish()
        exit(code.rawValue)
    }
}
