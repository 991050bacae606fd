import CalotypeStandard
import CalotypeTesting

/// The structure of a format's files.
enum FileStructure: Sendable {
    /// A signature and chunks.
    case png
    /// Segments, with data between them.
    case jpeg
    /// Chunks, some of them nested.
    case webp
    /// Descriptors and chains of sub-blocks.
    case gif
    /// Nested boxes.
    case heif
    /// An unknown structure.
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

    /// Returns the parts of a file, damaged or not. Their concatenation is the file.
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

    /// Corrects some or all lengths and checksums, so that more of the damage passes the first checks.
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
