#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Calls the system again for as long as a signal interrupts it: signals of the application's own interrupt what opens
/// files on a network.
/// - Parameters:
///   - operation: What is tried, as a verb.
///   - path: What it is tried with.
///   - call: Returns a negative number and sets `errno` when it failed.
/// - Returns: What the call returned.
func retrying(
    _ operation: String, _ path: @autoclosure () -> String, _ call: () -> Int32
) throws(FileSystemError) -> Int32 {
    while true {
        let outcome = call()
        // Taken at once: whatever is called next may change it.
        let code = outcome < 0 ? errno : 0
        if code == 0 { return outcome }
        if code != EINTR { throw FileSystemError(code: code, operation: operation, path: path()) }
    }
}
