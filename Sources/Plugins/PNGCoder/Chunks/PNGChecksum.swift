#if PNG
import CPNG
import Calotype

/// The checksum (CRC-32) of a chunk: of its type, and of the bytes of its body that were added so far.
struct PNGChecksum {
    private var sum: uLong = 0

    /// Creates the checksum of a chunk without a body.
    init(of type: PNGChunkType) {
        withUnsafeBytes(of: type.code.bigEndian) { add($0) }
    }

    var value: UInt32 { UInt32(truncatingIfNeeded: sum) }

    /// Adds the next bytes of the body, fewer than 4 GiB.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        sum = crc32(sum, base.assumingMemoryBound(to: UInt8.self), uInt(bytes.count))
    }
}
#endif
