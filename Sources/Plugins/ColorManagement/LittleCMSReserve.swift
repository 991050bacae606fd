#if COLOR
import CLCMS
import Calotype

/// Memory set aside for the small blocks that Little CMS allocates after a shortage. A block of it is never used
/// again; all are freed at once.
///
/// A shortage dooms the conversion, but Little CMS goes on until it needs a large block or is done. Its small blocks
/// were measured with a C program, for 2.14 and 2.19: a plug-in for memory fails the n-th allocation of a conversion,
/// then refuses all large blocks and sums up the small ones with their heads. The most of any n were 10 KiB for the
/// profiles of the tests, and 118 KiB for profiles made so that all curves and tables are small blocks. The reserve is
/// twice that.
///
/// Should it be exhausted all the same, a small block is refused, and Little CMS may crash: nothing else is left.
struct LittleCMSReserve {
    static let byteCount = 256 << 10

    /// The bytes that were asked of the reserve; more than it has after it was exhausted.
    private(set) var usedByteCount = 0
    private var memory: UnsafeMutableRawPointer?

    /// Takes `memory`, of ``byteCount`` bytes, as the reserve.
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

    /// Returns memory for a block, aligned to 16 bytes; nil when the reserve is exhausted.
    mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let start = usedByteCount
        usedByteCount += (byteCount + 15) & ~15
        return usedByteCount > Self.byteCount ? nil : memory.map { $0 + start }
    }

    /// Returns whether memory is a part of the reserve, and not to be freed alone.
    func contains(_ block: UnsafeRawPointer) -> Bool {
        guard let memory else { return false }
        return (0..<Self.byteCount).contains(UnsafeRawPointer(memory).distance(to: block))
    }
}
#endif
