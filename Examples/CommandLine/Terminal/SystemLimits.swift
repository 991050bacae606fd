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

/// The limits of the operating system on the tool.
///
/// Dispatch, which runs Swift's tasks, traps if it cannot open a file descriptor, and waits forever if it cannot start
/// a thread. The tool therefore checks both limits before it uses Dispatch.
enum SystemLimits {
    /// The number of files that the tool has open at the same time, besides inherited ones.
    private static let openFileCount: Int32 = 32
    /// The number of threads that the tool runs at the same time, besides the main thread.
    private static let threadCount: Int32 = 8
    /// The address space that the tool needs, in MiB.
    private static let addressSpace: UInt64 = 256

    /// Raises the limit on open files as far as permitted, and throws if a limit is too low for the tool. Call this
    /// before Dispatch is used for the first time.
    static func prepare() throws {
        let space = cl_address_space()
        if space != UInt64.max {
            guard space >= addressSpace << 20 else {
                throw shortage(
                    "the address space limit of \(space >> 20) MiB is too low; \(addressSpace) MiB are required",
                    advice: "raise it with 'ulimit -v \(addressSpace << 10)' or higher")
            }
            // Otherwise the address space would mostly be reserved for nearly unused heaps.
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

    /// Makes Dispatch open the file descriptor for its timers now instead of at the first timer.
    ///
    /// If no descriptor were available at the first timer, timeouts would never fire.
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
