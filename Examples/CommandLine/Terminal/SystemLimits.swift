import CLimits
import CalotypeStandard
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The limits of the system that the tool runs under.
///
/// Dispatch, which Swift's tasks run on, traps when it gets no descriptor, and waits for ever when it gets no thread.
/// So the tool makes sure of both before it begins.
enum SystemLimits {
    /// The number of files that the tool opens at once, beside those that it inherits.
    private static let openFileCount: Int32 = 32
    /// The number of threads that the tool has at once, beside the first.
    private static let threadCount: Int32 = 8
    /// The address space that the tool needs, in MiB.
    private static let addressSpace: UInt64 = 256

    /// Raises the limit on open files as far as this process may, and throws when a limit is too low. To be called
    /// before anything uses Dispatch.
    static func prepare() throws {
        let space = cl_address_space()
        if space != UInt64.max {
            guard space >= addressSpace << 20 else {
                throw shortage(
                    "the address space limit of \(space >> 20) MiB is too low; \(addressSpace) MiB are required",
                    advice: "raise it with 'ulimit -v \(addressSpace << 10)' or higher")
            }
            // Otherwise heaps of which nearly nothing is used would take most of it.
            cl_share_heap()
        }
        cl_raise_open_files()
        try check(
            cl_try_open_files(openFileCount), "cannot open \(openFileCount) files at the same time",
            advice: "raise the limit with 'ulimit -n', or close inherited file descriptors")
        try check(
            cl_try_threads(threadCount), "cannot run \(threadCount) threads at the same time",
            advice: "raise the limit with 'ulimit -u' or 'ulimit -v', or lower the stack size with 'ulimit -s'")
        reserveTimer()
    }

    /// Makes Dispatch open its descriptor for timers, which it opens at the first timer: there may be none left later,
    /// and no time limit would hold then.
    private static func reserveTimer() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {}
    }

    private static func check(_ code: Int32, _ what: String, advice: String) throws {
        guard code != 0 else { return }
        throw shortage("\(what): \(String(cString: strerror(code)))", advice: advice)
    }

    private static func shortage(_ message: String, advice: String) -> ImageError {
        ImageError(ImageError.Code(rawValue: "limitTooLow"), stage: .resolve, message: message, advice: advice)
    }
}
