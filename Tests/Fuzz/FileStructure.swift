import CalotypeStandard
import CalotypeTesting

/// How a format's files are put together.
enum FileStructure: Sendable {
    /// A signature and chunks.
    case png
    /// Segments, and data between them.
    case jpeg
    /// Nothing is known.
    case other

    init(_ format: ImageFormat) {
        switch format {
        case .png: self = .png
        case .jpeg: self = .jpeg
        default: self = .other
        }
    }

    /// The parts of a file, which joined are the file, damaged or not.
    func parts(of bytes: [UInt8]) -> [[UInt8]] {
        switch self {
        case .png: PNGStructure.parts(of: bytes)
        case .jpeg: JPEGStructure.parts(of: bytes)
        case .other: [bytes]
        }
    }

    /// Makes lengths and checksums right again, some or all: more of the damage gets past the first look.
    func mend(_ parts: inout [[UInt8]], _ random: inout SplitMix64) {
        switch self {
        case .png: PNGStructure.mend(&parts, &random)
        case .jpeg: JPEGStructure.mend(&parts, &random)
        case .other: break
        }
    }
}
