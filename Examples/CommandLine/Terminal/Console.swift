import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where lines go: results to standard output, the rest to standard error.
///
/// On the main actor, so that lines stay whole, in order, and apart from the one that ``Terminal`` draws.
@MainActor
final class Console {
    /// Prints what does not stop a request. Told from any thread.
    private(set) lazy var warnings = WarningPrinter(self)
    /// Those whose warnings are printed.
    private var managers: [ImageManager] = []

    /// A manager whose warnings are printed.
    func makeManager(cache: CacheChoice) -> ImageManager {
        let manager = ImageManager(cache: cache, warnings: warnings)
        managers.append(manager)
        return manager
    }

    /// Returns when all warnings are printed. There can be none any more.
    func finish() async {
        for manager in managers { await manager.waitForEvents() }
        managers = []
        await warnings.finish()
    }

    /// Prints a line, or several, to standard output.
    func say(_ text: String) { send(Data("\(text)\n".utf8)) }

    /// Writes bytes to standard output. The process ends when nobody reads them, or when they cannot be written.
    func send(_ data: Data) {
        Terminal.clear()
        let code = Descriptor.send(data, to: STDOUT_FILENO)
        guard code != 0 else { return }
        if code == EPIPE { Termination.end(by: SIGPIPE) }
        complain(
            "cannot write to standard output: \(String(cString: strerror(code))); check where it is redirected to")
        Termination.end(with: .failure)
    }

    /// Prints `calotype: ` and a text, in one line, to standard error.
    func complain(_ text: String) {
        Terminal.clear()
        Descriptor.send(Data("calotype: \(text.printable)\n".utf8), to: STDERR_FILENO)
    }

    /// Says what went wrong with a source: `SOURCE: what happened; what to do`.
    func complain(about source: String, _ error: any Error) { complain("\(source): \(Self.describe(error))") }

    /// What happened and what to do, without the subject: whoever reports it names it as the user did.
    nonisolated static func describe(_ error: any Error) -> String {
        guard var error = error as? ImageError else { return "\(error)" }
        error.subject = nil
        return error.description
    }
}
