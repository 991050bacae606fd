import CalotypeStandard
import CalotypeTesting

/// How a format's files are put together.
enum FileStructure: Sendable {
    /// A signature and chunks.
    case png
    /// Segments, and data between them.
    case jpeg
    /// Chunks, some in others.
    case webp
    /// Descriptors and chains of sub-blocks.
    case gif
    /// Boxes in boxes.
    case heif
    /// Nothing is known.
    case other

    init(_ format: ImageFormat) {
        switch format {
        case .png: self = .png
        case .jpeg: self = .jpeg
        case .webp: self = .webp
        case .gif: self = .gif
        case .heic, .avif: self = .heif
        default: self = .other
        }
    }

    /// The parts of a file, which joined are the file, damaged or not.
    func parts(of bytes: [UInt8]) -> [[UInt8]] {
        switch self {
        case .png: PNGStructure.parts(of: bytes)
        case .jpeg: JPEGStructure.parts(of: bytes)
        case .webp: WebPStructure.parts(of: bytes)
        case .gif: GIFStructure.parts(of: bytes)
        case .heif: HEIFStructure.parts(of: bytes)
        case .other: [bytes]
        }
    }

    /// Makes lengths and checksums right again, some or all: more of the damage gets past the first look.
    func mend(_ parts: inout [[UInt8]], _ random: inout SplitMix64) {
        switch self {
        case .png: PNGStructure.mend(&parts, &random)
        case .jpeg: JPEGStructure.mend(&parts, &random)
        case .webp: WebPStructure.mend(&parts, &random)
        case .gif: GIFStructure.mend(&parts, &random)
        case .heif: HEIFStructure.mend(&parts, &random)
        case .other: break
        }
    }
}
