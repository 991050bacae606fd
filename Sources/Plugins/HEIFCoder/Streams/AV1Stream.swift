#if HEIF
import Calotype

/// The AV1 stream of a picture, which was checked when it was parsed. A stream consists of units (OBUs).
///
/// Source: AV1 Bitstream & Decoding Process Specification (2019), sections 5.3 to 5.5; AV1 Image File Format 1.1.
struct AV1Stream {
    let header: StreamHeader

    /// The type of a unit with a sequence header.
    private static let sequenceHeader = 1
    /// The types of units with a frame header: the header alone (3), a frame header with tiles (6), and a repeated
    /// frame header (7).
    private static let frames: Set<Int> = [3, 6, 7]
    /// The maximum number of frame headers in a stream. A picture has at most four layers. The limit allows two headers
    /// for each layer, for example a frame header and its repetition.
    private static let maxFrameCount = 8
    /// The maximum number of units in a stream. At the highest level of AV1, a picture may have many tiles. The limit
    /// permits a separate unit for each of them, and some other units.
    private static let maxUnitCount = 1024

    /// Parses a stream. Throws `badData` if the stream is damaged, contradicts itself, or has more frames or units than
    /// a picture needs.
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

    /// Throws `badData` if a frame could be more than twice as wide or high as the sequence. This is so if the frame
    /// states its own size, and ``AV1SequenceHeader/maxFrameSize`` permits such a size. Also throws `badData` if the
    /// sequence header is missing or the frame header is truncated.
    ///
    /// The stated size itself is not read. The layers of a picture may state their own sizes, but in a legitimate file
    /// no layer is more than twice as wide or high as the sequence.
    private static func check(_ frame: ArraySlice<UInt8>, _ sequence: AV1SequenceHeader?) throws(ImageError) {
        guard let sequence else { throw .damagedHEIF("its AV1 stream does not state its size") }
        let (size, most) = (sequence.header.size, sequence.maxFrameSize)
        guard most.width > 2 * size.width || most.height > 2 * size.height else { return }
        // Only the beginning is parsed.
        guard try AV1FrameHeader(Array(frame.prefix(maxHeaderByteCount)), sequence.fields).hasOwnSize else { return }
        throw .damagedHEIF("its AV1 stream has a frame that may be much larger than \(size)")
    }

    private static let maxHeaderByteCount = 64

    /// Reads the length of a unit in bytes. Each byte contains seven bits of the length, the lowest bits first, and a
    /// flag for whether another byte follows. Throws `badData` if the length does not end within eight bytes.
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
