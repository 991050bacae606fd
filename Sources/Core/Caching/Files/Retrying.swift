#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Makes a system call, and repeats it each time a signal interrupts it. Returns the result of the call.
/// - Parameters:
///   - operation: The operation for an error message, as a verb.
///   - call: The system call. On failure, it returns a negative number and sets `errno`.
func retrying(
    _ operation: String, _ path: @autoclosure () -> String, _ call: () -> Int32
) throws(FileSystemError) -> Int32 {
    while true {
        let outcome = call()
        // Read at once, since any other call may change it.
        let code = outcome < 0 ? errno : 0
        if code == 0 { return outcome }
        if code != EINTR { throw FileSystemError(code: code, operation: operation, path: path()) }
    }
}
