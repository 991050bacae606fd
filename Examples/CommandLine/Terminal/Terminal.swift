import CalotypeStandard
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal that standard error may be, and one line of it that is drawn again and again.
enum Terminal {
    private static let isDrawn = Atomic(false)
    /// Erases from the cursor to the end of the line. Source: ECMA-48, section 8.3.41.
    private static let eraseToEnd = "\u{1B}[K"

    /// Whether somebody watches who can be shown a line that changes.
    static var isThere: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The columns that a line may have without moving on to the next one.
    static var width: Int {
        var size = winsize()
        if ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 { return Int(size.ws_col) - 1 }
        let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
        return max(1, columns - 1)
    }

    /// Draws a line in place of the one that was drawn before.
    static func draw(_ line: String) {
        isDrawn.store(true, ordering: .relaxed)
        Descriptor.send(Data("\r\(line)\(eraseToEnd)".utf8), to: STDERR_FILENO)
    }

    /// Clears the drawn line away, if there is one.
    static func clear() {
        guard isDrawn.exchange(false, ordering: .relaxed) else { return }
        Descriptor.send(Data("\r\(eraseToEnd)".utf8), to: STDERR_FILENO)
    }
}
