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

    /// The letters as a big-endian number.
    let code: UInt32

    init(code: UInt32) {
        self.code = code
    }

    private init(_ letters: StaticString) {
        code = letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Whether a reader may skip the chunk if it does not know the type.
    var isAncillary: Bool { code & 0x2000_0000 != 0 }
}

/// The header of a chunk and its position in the file.
struct PNGChunkHeader {
    /// The signature at the beginning of a file.
    static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    /// The length of a header, which contains the length and the type.
    static let byteCount = 8
    /// The length of the header and the checksum.
    private static let framingByteCount = 12

    let type: PNGChunkType
    /// The start of the chunk.
    let start: Int
    /// The length of the chunk's body.
    let length: Int

    /// Creates a header.
    /// - Parameters:
    ///   - bytes: The length and the type.
    ///   - start: The offset of the chunk.
    init(_ bytes: UInt64, at start: Int) {
        type = PNGChunkType(code: UInt32(truncatingIfNeeded: bytes))
        length = Int(bytes >> 32)
        self.start = start
    }

    /// Whether the length is valid.
    var isValid: Bool { length <= Int32.max }
    /// The start of the chunk's body.
    var bodyStart: Int { start + Self.byteCount }
    /// The start of the next chunk.
    var end: Int { start + Self.framingByteCount + length }
}
#endif
