#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A pipe by which one thread ends the waiting of another that waits in `poll`.
package final class WakePipe: Sendable {
    /// Can be read from after a call of ``wake()``.
    package let readEnd: Int32
    private let writeEnd: Int32

    /// A pipe; nil when the system has no room for one, for which `errno` has the reason.
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

    /// Ends the waiting of now and of later.
    package func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }
}
