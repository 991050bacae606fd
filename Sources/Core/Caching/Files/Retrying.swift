#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Repeats a system call while signals interrupt it: signals of the application interrupt opening files on a network.
/// - Parameters:
///   - operation: The operation, as a verb.
///   - path: The path of the operation.
///   - call: The call. It returns a negative number and sets `errno` on failure.
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
