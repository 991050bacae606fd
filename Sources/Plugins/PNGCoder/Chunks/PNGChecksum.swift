#if PNG
#if DEFLATE
import CDeflate
#else
import CPNG
#endif
import Calotype

/// The checksum (CRC-32) of a chunk. It covers the type of the chunk, and the bytes of the body that were added so far.
struct PNGChecksum {
    private(set) var value: UInt32 = 0

    /// Creates the checksum of a chunk's type, before any bytes of the body are added.
    init(of type: PNGChunkType) {
        withUnsafeBytes(of: type.code.bigEndian) { add($0) }
    }

    /// Adds the next bytes of the body, fewer than 4 GiB.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        #if DEFLATE
        value = libdeflate_crc32(value, base, bytes.count)
        #else
        value = UInt32(
            truncatingIfNeeded: crc32(uLong(value), base.assumingMemoryBound(to: UInt8.self), uInt(bytes.count)))
        #endif
    }
}
#endif
