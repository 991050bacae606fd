import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal that standard error may be.
enum Terminal {
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
}
