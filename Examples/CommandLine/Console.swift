import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where lines go: results to standard output, the rest to standard error, and between them a line that is drawn again
/// and again without ever mixing with the others.
final class Console: Sendable {
    private struct Drawing {
        /// Whether lines are still drawn.
        var isOn = true
        /// The length of the line that is drawn now.
        var width = 0
    }

    /// Held while anything is written, so that lines stay whole; may have to wait for whoever reads them.
    private let turn = Lock(())
    /// Taken inside `turn`, or by itself when the process ends and cannot wait for a reader.
    private let drawing = Lock(Drawing())

    /// Prints a line, or several, to standard output.
    func say(_ text: String) { send(Data("\(text)\n".utf8)) }

    /// Writes bytes to standard output. The process ends when nobody reads them, or when they cannot be written.
    func send(_ data: Data) {
        let code = turn.withLock { _ -> Int32 in
            erase()
            return Descriptor.send(data, to: STDOUT_FILENO)
        }
        guard code != 0 else { return }
        if code == EPIPE { Termination.end(by: SIGPIPE, console: self) }
        complain("standard output: cannot be written: \(String(cString: strerror(code)))")
        Termination.end(with: .failure)
    }

    /// Prints `calotype: ` and a text, in one line, to standard error.
    func complain(_ text: String) {
        let line = Data("calotype: \(text.printable)\n".utf8)
        turn.withLock { _ in
            erase()
            Descriptor.send(line, to: STDERR_FILENO)
        }
    }

    /// Says what went wrong with a source: `SOURCE: what happened; what to do`.
    func complain(about source: String, _ error: any Error) { complain("\(source): \(Self.describe(error))") }

    /// What happened and what to do, without the subject: whoever reports it names it as the user did.
    static func describe(_ error: any Error) -> String {
        guard var error = error as? ImageError else { return "\(error)" }
        error.subject = nil
        return error.description
    }

    /// Draws a line over the one before, on standard error, which has to be a terminal.
    func draw(_ line: String) {
        turn.withLock { _ in
            drawing.withLock { drawing in
                guard drawing.isOn else { return }
                let width = line.count
                let rest = String(repeating: " ", count: max(0, drawing.width - width))
                drawing.width = width
                Descriptor.send(Data("\r\(line)\(rest)".utf8), to: STDERR_FILENO)
            }
        }
    }

    /// Clears the drawn line away and draws no more.
    func endDrawing() {
        drawing.withLock { $0.isOn = false }
        erase()
    }

    /// Clears the drawn line away, so that another can be written in its place.
    private func erase() {
        drawing.withLock { drawing in
            guard drawing.width > 0 else { return }
            Descriptor.send(Data("\r\(String(repeating: " ", count: drawing.width))\r".utf8), to: STDERR_FILENO)
            drawing.width = 0
        }
    }
}
