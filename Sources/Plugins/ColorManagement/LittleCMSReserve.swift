#if COLOR
import CLCMS
import Calotype

/// A reserve of memory for small blocks that Little CMS allocates after a shortage, which is a failed allocation. The
/// blocks of the reserve are not reused and are freed together.
///
/// After a shortage the conversion fails, but Little CMS continues until it needs a large block or is done. In
/// measurements with versions 2.14 and 2.19, it allocated at most 118 KiB until then, for profiles whose curves and
/// tables are all small blocks. If the reserve of 256 KiB is exhausted nevertheless, a small block is refused. Little
/// CMS may then crash; there is no alternative.
struct LittleCMSReserve {
    static let byteCount = 256 << 10

    /// The number of bytes requested since ``fill(with:)``. It exceeds ``byteCount`` once a request has been refused.
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
