#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The memory that large allocations leave for those that cannot fail.
///
/// Swift traps when it gets no memory for an object, and Dispatch waits until it gets a stack for its next thread. A
/// process whose address space is limited must therefore not spend all of it on files and pictures.
enum MemoryReserve {
    /// The bytes that stay free: 64 MiB, eight stacks of threads as Linux makes them.
    static let byteCount = 64 << 20
    /// The size below which allocations are made without a look at the reserve, which costs two system calls.
    static let smallest = 256 << 10

    /// Whether the system has `count` more bytes beside the reserve. Thread-safe.
    ///
    /// The answer holds for the moment: other threads allocate too. The reserve covers what they take meanwhile.
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
