#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A block of scratch memory, aligned to 64 bytes and undefined until it is written.
///
/// The parts of a large block that have not been written yet take no physical memory.
package final class RowMemory<Element: BitwiseCopyable> {
    package let base: UnsafeMutablePointer<Element>

    /// Allocates memory for `count` elements. Throws `outOfMemory`.
    package init(count: Int) throws(ImageError) {
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        var memory: UnsafeMutableRawPointer?
        guard !overflow, MemoryReserve.allows(byteCount), posix_memalign(&memory, 64, max(64, byteCount)) == 0,
            let memory
        else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "not enough memory for rows of \(count) values",
                advice: "load fewer images at once, or raise the process's memory limit")
        }
        base = memory.assumingMemoryBound(to: Element.self)
    }

    deinit { free(base) }
}
