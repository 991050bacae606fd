#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Makes a system call, and repeats it as long as signals interrupt it. Signals of the application can interrupt, for
/// example, the opening of a file on a network.
/// - Parameters:
///   - operation: The operation for an error message, as a verb.
///   - path: The path of the file or directory, for an error.
///   - call: The system call. On failure, it returns a negative number and sets `errno`.
/// - Returns: The result of the call.
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
