#if PNG
import CPNG
import Calotype

/// The checksum of a chunk's type and of the body bytes added so far.
struct PNGChecksum {
    private var sum: uLong = 0

    /// Creates the checksum of a chunk without a body.
    init(of type: PNGChunkType) {
        withUnsafeBytes(of: type.code.bigEndian) { add($0) }
    }

    var value: UInt32 { UInt32(truncatingIfNeeded: sum) }

    /// Adds the next bytes, fewer than 4 GB.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        sum = crc32(sum, base.assumingMemoryBound(to: UInt8.self), uInt(bytes.count))
    }
}
#endif
