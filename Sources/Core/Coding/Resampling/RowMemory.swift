#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A block of scratch memory at a multiple of 64 bytes, undefined before it is written; freed with its owner.
///
/// What nobody has written yet costs nothing, where the block is large.
package final class RowMemory<Element: BitwiseCopyable> {
    package let base: UnsafeMutablePointer<Element>

    /// Memory for `count` elements. Throws `outOfMemory`.
    package init(count: Int) throws(ImageError) {
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        var memory: UnsafeMutableRawPointer?
        guard !overflow, MemoryReserve.allows(byteCount), posix_memalign(&memory, 64, max(64, byteCount)) == 0,
            let memory
        else {
            throw ImageError(
                .outOfMemory, stage: .decode, message: "no memory for rows of \(count) values",
                advice: "do less at once, or lower the limit `maxPixels`")
        }
        base = memory.assumingMemoryBound(to: Element.self)
    }

    deinit { free(base) }
}
