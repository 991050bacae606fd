#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The memory that large allocations leave free for allocations that cannot fail.
///
/// Swift traps if it gets no memory for an object, and Dispatch waits until it gets a stack for its next thread.
enum MemoryReserve {
    /// The number of bytes that stay free: 64 MiB, as much as the stacks of eight threads on Linux.
    static let byteCount = 64 << 20
    /// The size in bytes below which an allocation is allowed without a check. A check costs two system calls.
    static let smallest = 256 << 10

    /// Returns whether the system has memory for `count` more bytes and for the reserve. Always true if `count` is less
    /// than ``smallest``. Thread-safe.
    ///
    /// The reserve also covers allocations that other threads make after the check.
    static func allows(_ count: Int) -> Bool {
        guard count >= smallest else { return true }
        let (wanted, overflow) = count.addingReportingOverflow(byteCount)
        guard !overflow else { return false }
        let block = mmap(nil, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let block, block != MAP_FAILED else { return false }
        munmap(block, wanted)
        return true
    }
}
