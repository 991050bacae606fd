import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Prints results to standard output, and all other text to standard error.
///
/// The console is isolated to the main actor, so that lines stay whole and in order, and do not mix with the progress
/// line of ``Terminal``.
@MainActor
final class Console {
    /// The printer of warnings about failures that do not stop a request. It can be used from any thread.
    private(set) lazy var warnings = WarningPrinter(self)
    /// The managers whose warnings are printed by this console.
    private var managers: [ImageManager] = []

    /// Creates a manager with the given cache. Its warnings are printed by this console.
    func makeManager(cache: CacheChoice) -> ImageManager {
        let manager = ImageManager(cache: cache, warnings: warnings)
        managers.append(manager)
        return manager
    }

    /// Waits until all warnings are printed. Later warnings are ignored.
    func finish() async {
        for manager in managers { await manager.waitForEvents() }
        managers = []
        await warnings.finish()
    }

    /// Prints one or more lines to standard output.
    func say(_ text: String) { send(Data("\(text)\n".utf8)) }

    /// Writes bytes to standard output. Ends the process if the reader of the output has closed the pipe, or if writing
    /// fails.
    func send(_ data: Data) {
        Terminal.clear()
        let code = Descriptor.send(data, to: STDOUT_FILENO)
        guard code != 0 else { return }
        if code == EPIPE { Termination.end(by: SIGPIPE) }
        complain(
            "cannot write to standard output: \(String(cString: strerror(code))); check where it is redirected to")
        Termination.end(with: .failure)
    }

    /// Prints a line to standard error: `calotype: ` and the text.
    func complain(_ text: String) {
        Terminal.clear()
        Descriptor.send(Data("calotype: \(text.printable)\n".utf8), to: STDERR_FILENO)
    }

    /// Prints the failure of a source to standard error: `calotype: SOURCE: what happened; what to do`.
    func complain(about source: String, _ error: any Error) { complain("\(source): \(Self.describe(error))") }

    /// Returns the failure and the advice of an error, without the subject of the error. The caller prints the name
    /// that the user gave instead.
    nonisolated static func describe(_ error: any Error) -> String {
        guard var error = error as? ImageError else { return "\(error)" }
        error.subject = nil
        return error.description
    }
}
