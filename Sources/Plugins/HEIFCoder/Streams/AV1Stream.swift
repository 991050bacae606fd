#if HEIF
import Calotype

/// A parsed and checked AV1 stream of a picture. It consists of units (OBUs).
///
/// Source: AV1 Bitstream & Decoding Process Specification (2019), sections 5.3 to 5.5; AV1 Image File Format 1.1.
struct AV1Stream {
    let header: StreamHeader

    /// The type of a unit with a sequence header.
    private static let sequenceHeader = 1
    /// The types of units with a frame header: the header alone (3), a frame header with tiles (6), and a repeated
    /// frame header (7).
    private static let frames: Set<Int> = [3, 6, 7]
    /// The maximum number of frame headers in a stream: two for each of the four layers that a picture may have.
    private static let maxFrameCount = 8
    /// The maximum number of units in a stream: one for each tile at the highest level of AV1, and some others.
    private static let maxUnitCount = 1024

    /// Parses a stream. Throws `badData` if it is damaged, contradicts itself, or has too many frames or units.
    init(_ data: [UInt8]) throws(ImageError) {
        var sequence: AV1SequenceHeader?
        var (frameCount, unitCount) = (0, 0)
        var rest = data[...]
        while let first = rest.popFirst() {
            unitCount += 1
            guard unitCount <= Self.maxUnitCount else {
                throw .damagedHEIF("its AV1 stream has more than \(Self.maxUnitCount) units")
            }
            if first & 4 != 0 { rest = rest.dropFirst() }
            let count = first & 2 != 0 ? try Self.count(&rest) : rest.count
            guard count <= rest.count else { throw .damagedHEIF("its AV1 stream is truncated") }
            let kind = Int(first >> 3 & 15)
            if kind == Self.sequenceHeader {
                let found = try AV1SequenceHeader(Array(rest.prefix(count)))
                guard sequence == nil || sequence == found else {
                    throw .damagedHEIF("the headers of its AV1 stream differ")
                }
                sequence = found
            } else if Self.frames.contains(kind) {
                frameCount += 1
                try Self.check(rest.prefix(count), sequence)
            }
            rest = rest.dropFirst(count)
        }
        guard let sequence else { throw .damagedHEIF("its AV1 stream does not state its size") }
        guard frameCount <= Self.maxFrameCount else {
            throw .damagedHEIF("its AV1 stream has \(frameCount) frames; at most \(Self.maxFrameCount) are allowed")
        }
        header = sequence.header
    }

    /// Throws `badData` if a frame states its own size, and that size could be more than twice as wide or high as the
    /// sequence. In a legitimate file, no frame is so large. Also throws `badData` if the sequence header is missing or
    /// the frame header is truncated.
    private static func check(_ frame: ArraySlice<UInt8>, _ sequence: AV1SequenceHeader?) throws(ImageError) {
        guard let sequence else { throw .damagedHEIF("its AV1 stream does not state its size") }
        let (size, most) = (sequence.header.size, sequence.maxFrameSize)
        guard most.width > 2 * size.width || most.height > 2 * size.height else { return }
        // Only the beginning is parsed.
        guard try AV1FrameHeader(Array(frame.prefix(maxHeaderByteCount)), sequence.fields).hasOwnSize else { return }
        throw .damagedHEIF("its AV1 stream has a frame that may be much larger than \(size)")
    }

    private static let maxHeaderByteCount = 64

    /// Reads the length of a unit in bytes, stored as `leb128`: seven bits in each byte, the lowest bits first. Throws
    /// `badData` if the length does not end within eight bytes.
    private static func count(_ bytes: inout ArraySlice<UInt8>) throws(ImageError) -> Int {
        var number = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard let byte = bytes.popFirst() else { break }
            number |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        throw .damagedHEIF("its AV1 stream has a unit without a length")
    }
}
#endif
