#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A pipe by which one thread wakes another that waits in `poll`.
package final class WakePipe: Sendable {
    /// The descriptor that becomes readable after a call of ``wake()``.
    package let readEnd: Int32
    private let writeEnd: Int32

    /// Creates a pipe; nil if the system cannot make one, with the reason in `errno`.
    package init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the thread that waits for ``readEnd``. Later waits end at once, since the pipe remains readable.
    package func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }
}
