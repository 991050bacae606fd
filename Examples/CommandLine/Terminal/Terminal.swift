import CalotypeStandard
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal on standard error, with one line that is redrawn repeatedly.
enum Terminal {
    private static let isDrawn = Atomic(false)
    /// The control sequence that erases from the cursor to the end of the line. Source: ECMA-48, section 8.3.41.
    private static let eraseToEnd = "\u{1B}[K"

    /// Whether standard error is a terminal that can show a changing line.
    static var isThere: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The maximum number of columns of a line that does not wrap: one less than the width of the terminal.
    static var width: Int {
        var size = winsize()
        if ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 { return Int(size.ws_col) - 1 }
        let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
        return max(1, columns - 1)
    }

    /// Draws a line in place of the previously drawn line.
    static func draw(_ line: String) {
        isDrawn.store(true, ordering: .relaxed)
        Descriptor.send(Data("\r\(line)\(eraseToEnd)".utf8), to: STDERR_FILENO)
    }

    /// Erases the drawn line. Does nothing if no line is drawn.
    static func clear() {
        guard isDrawn.exchange(false, ordering: .relaxed) else { return }
        Descriptor.send(Data("\r\(eraseToEnd)".utf8), to: STDERR_FILENO)
    }
}
