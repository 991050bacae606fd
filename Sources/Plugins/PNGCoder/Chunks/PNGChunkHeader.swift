#if PNG
import Calotype

/// The type of a chunk: four letters.
struct PNGChunkType: Equatable {
    static let header = PNGChunkType("IHDR")
    static let palette = PNGChunkType("PLTE")
    static let transparency = PNGChunkType("tRNS")
    static let pixels = PNGChunkType("IDAT")
    static let frameControl = PNGChunkType("fcTL")
    static let framePixels = PNGChunkType("fdAT")
    static let text = PNGChunkType("iTXt")
    static let exif = PNGChunkType("eXIf")
    static let end = PNGChunkType("IEND")

    /// The four letters as a big-endian number.
    let code: UInt32

    init(code: UInt32) {
        self.code = code
    }

    private init(_ letters: StaticString) {
        code = letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Whether the type is ancillary: a reader that does not know the type may skip the chunk.
    var isAncillary: Bool { code & 0x2000_0000 != 0 }
}

/// The header of a chunk and its position in the file.
struct PNGChunkHeader {
    /// The bytes at the beginning of every PNG file.
    static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    /// The number of bytes in the header of a chunk: the length and the type, four bytes each.
    static let byteCount = 8
    /// The number of bytes that a chunk has in addition to its body: the header and the checksum.
    private static let framingByteCount = 12

    let type: PNGChunkType
    /// The offset of the chunk in the file.
    let start: Int
    /// The number of bytes in the body of the chunk.
    let length: Int

    /// Creates the header of a chunk.
    /// - Parameter bytes: The length of the body in the upper 32 bits, and the type in the lower 32 bits.
    init(_ bytes: UInt64, at start: Int) {
        type = PNGChunkType(code: UInt32(truncatingIfNeeded: bytes))
        length = Int(bytes >> 32)
        self.start = start
    }

    /// Whether the length is at most 2,147,483,647, the maximum of the format.
    var isValid: Bool { length <= Int32.max }
    /// The offset in the file of the body of the chunk.
    var bodyStart: Int { start + Self.byteCount }
    /// The offset in the file of the next chunk.
    var end: Int { start + Self.framingByteCount + length }
}
#endif
