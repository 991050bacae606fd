#if PNG
import Calotype

/// The chunks that libpng needs before the pixels: the header, the palette and the transparency chunk.
struct PNGPreamble {
    private var header = Data()
    private var palette = Data()
    private var transparency = Data()

    /// The maximum number of chunks in a preamble.
    static let mostChunks = 3
    private static let headerByteCount = 13
    private static let longestPalette = 3 * 256

    /// Reads the chunks of the preamble from a file. `header` contains the properties that were already read.
    init(of header: PNGHeader, in bytes: PNGBytes) {
        let isPalette = header.info.colorModel == .palette
        var chunks = PNGChunkWalker(bytes)
        while let chunk = chunks.next(), chunk.start < header.pixelOffset {
            switch chunk.type {
            case .header:
                self.header = bytes.body(of: chunk) ?? Data()
            case .palette where isPalette && palette.isEmpty && chunk.length <= Self.longestPalette:
                palette = bytes.body(of: chunk) ?? Data()
            case .transparency where header.info.hasAlpha && transparency.isEmpty:
                guard transparencyLengths.contains(chunk.length) else { continue }
                transparency = bytes.body(of: chunk) ?? Data()
            default:
                continue
            }
        }
    }

    /// The valid lengths of a tRNS chunk in bytes; empty if the color type does not permit the chunk. For indexed
    /// colors, the range is also empty until the palette was read, because a tRNS chunk must follow the palette.
    private var transparencyLengths: Range<Int> {
        guard header.count == Self.headerByteCount else { return 0..<0 }
        switch header.bigEndian(at: 9, count: 1) {
        case 0: return 2..<3
        case 2: return 6..<7
        case 3: return 1..<min(palette.count / 3, 1 << header.bigEndian(at: 8, count: 1)) + 1
        // The color type has an alpha channel.
        default: return 0..<0
        }
    }

    /// Returns the beginning of a PNG file, up to the pixels, for a picture of the given size.
    func data(size: PixelSize) -> Data {
        var data = PNGChunkHeader.signature
        Self.append(.header, Self.bigEndian(size.width) + Self.bigEndian(size.height) + header.dropFirst(8), to: &data)
        if !palette.isEmpty { Self.append(.palette, palette, to: &data) }
        if !transparency.isEmpty { Self.append(.transparency, transparency, to: &data) }
        return data
    }

    private static func append(_ type: PNGChunkType, _ body: Data, to data: inout Data) {
        var checksum = PNGChecksum(of: type)
        body.withUnsafeBytes { checksum.add($0) }
        data += bigEndian(body.count) + bigEndian(Int(type.code)) + body + bigEndian(Int(checksum.value))
    }

    private static func bigEndian(_ number: Int) -> Data {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Data($0) }
    }
}
#endif
