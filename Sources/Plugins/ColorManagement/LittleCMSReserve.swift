#if COLOR
import CLCMS
import Calotype

/// A reserve of memory for small blocks that Little CMS allocates after a shortage, which is a failed allocation. The
/// blocks of the reserve are not reused and are freed together.
///
/// After a shortage the conversion fails, but Little CMS continues until it needs a large block or is done. The small
/// blocks that it allocates until then were measured with a C program for versions 2.14 and 2.19. The program lets the
/// n-th allocation of a conversion fail and refuses all large blocks after it. It adds up the sizes of the small blocks
/// and of their list nodes. The largest sum for any n was 10 KiB for the profiles of the tests, and 118 KiB for
/// profiles designed so that all curves and tables are small blocks. The reserve has 256 KiB, more than twice the
/// larger of these numbers.
///
/// If the reserve is exhausted nevertheless, a small block is refused. Little CMS may then crash; there is no
/// alternative.
struct LittleCMSReserve {
    static let byteCount = 256 << 10

    /// The number of bytes that have been requested since ``fill(with:)``. It exceeds ``byteCount`` once a request has
    /// been refused because the reserve was exhausted.
    private(set) var usedByteCount = 0
    private var memory: UnsafeMutableRawPointer?

    /// Uses `memory`, which has ``byteCount`` bytes, as the reserve.
    mutating func fill(with memory: UnsafeMutableRawPointer) {
        release()
        self.memory = memory
        usedByteCount = 0
    }

    /// Frees the reserve with all its blocks.
    mutating func release() {
        free(memory)
        memory = nil
    }

    /// Returns memory for a block, aligned to 16 bytes, or nil if the reserve is exhausted.
    mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let start = usedByteCount
        usedByteCount += (byteCount + 15) & ~15
        return usedByteCount > Self.byteCount ? nil : memory.map { $0 + start }
    }

    /// Returns whether a block belongs to the reserve. Such a block must not be freed separately.
    func contains(_ block: UnsafeRawPointer) -> Bool {
        guard let memory else { return false }
        return (0..<Self.byteCount).contains(UnsafeRawPointer(memory).distance(to: block))
    }
}
#endif
