#if PNG
import Calotype

/// The bytes that libpng must have read before pixels: the header, the palette, and the chunk that tells which colors
/// are transparent.
struct PNGPreamble {
    private var header = Data()
    private var palette = Data()
    private var transparency = Data()

    private static let headerByteCount = 13
    private static let longestPalette = 3 * 256

    /// Creates the preamble of a file whose header has been read.
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

    /// The lengths that a tRNS chunk may have at its place for libpng, which has told whether the file has one. Before
    /// the palette there is none.
    private var transparencyLengths: Range<Int> {
        guard header.count == Self.headerByteCount else { return 0..<0 }
        switch header.bigEndian(at: 9, count: 1) {
        case 0: return 2..<3
        case 2: return 6..<7
        case 3: return 1..<min(palette.count / 3, 1 << header.bigEndian(at: 8, count: 1)) + 1
        // There is alpha already.
        default: return 0..<0
        }
    }

    /// The bytes of a file up to the pixels of a picture of that size.
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
