#if PNG
import Calotype

/// The four letters of a chunk.
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

    /// The letters as a number, the first the most significant.
    let code: UInt32

    init(code: UInt32) {
        self.code = code
    }

    private init(_ letters: StaticString) {
        code = letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Whether a reader that does not know it may pass over it.
    var isAncillary: Bool { code & 0x2000_0000 != 0 }
}

/// The header of a chunk, and its place in a file.
struct PNGChunkHeader {
    /// The bytes before the first chunk.
    static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    /// Length and type.
    static let byteCount = 8
    /// Header and checksum.
    private static let framingByteCount = 12

    let type: PNGChunkType
    /// The start of the chunk.
    let start: Int
    /// The length of the chunk's body.
    let length: Int

    /// - Parameters:
    ///   - bytes: Length and type.
    ///   - start: Where they are.
    init(_ bytes: UInt64, at start: Int) {
        type = PNGChunkType(code: UInt32(truncatingIfNeeded: bytes))
        length = Int(bytes >> 32)
        self.start = start
    }

    /// Whether its length is one that a chunk may have.
    var isValid: Bool { length <= Int32.max }
    /// The start of the chunk's body.
    var bodyStart: Int { start + Self.byteCount }
    /// The start of the next chunk.
    var end: Int { start + Self.framingByteCount + length }
}
#endif
