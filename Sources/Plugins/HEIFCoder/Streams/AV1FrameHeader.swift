#if HEIF
import Calotype

/// The beginning of the header of an AV1 frame, up to the flag that tells whether the frame states its own size.
///
/// Source: AV1 Bitstream & Decoding Process Specification (2019), section 5.9.2.
struct AV1FrameHeader {
    /// Whether the frame has a size of its own instead of the size of the sequence.
    let hasOwnSize: Bool

    /// The values of a sequence header that determine which fields the frame headers have.
    struct Fields: Equatable, Sendable {
        /// Whether the sequence has the reduced header for still pictures (`reduced_still_picture_header`). The frames
        /// of such a sequence have no size of their own.
        var isReduced = false
        /// The number of bits of a frame's presentation time; nil if frame headers do not have that field.
        var timeBitCount: Int?
        /// The number of bits of a frame number; nil if frame headers do not have that field.
        var numberBitCount: Int?
        /// Whether frames use the tools for screen content; nil if each frame header has a flag for these tools.
        var hasScreenTools: Bool?
        /// Whether frames that use the tools for screen content have a flag for integer motion vectors
        /// (`force_integer_mv`).
        var saysWholeVectors = false
    }

    private static let keyFrame = 0
    private static let switchFrame = 3

    /// Parses the header of a frame. Throws `badData` if the header is truncated.
    init(_ bytes: [UInt8], _ fields: Fields) throws(ImageError) {
        guard !fields.isReduced else {
            hasOwnSize = false
            return
        }
        var reader = BitReader(bytes)
        // The flag means that an existing frame is shown.
        if try reader.flag() {
            hasOwnSize = false
            return
        }
        let kind = try reader.bits(2)
        let isShown = try reader.flag()
        if isShown {
            if let timeBitCount = fields.timeBitCount { try reader.skip(timeBitCount) }
        } else {
            try reader.skip(1)
        }
        if kind != Self.switchFrame, kind != Self.keyFrame || !isShown { try reader.skip(1) }
        try reader.skip(1)
        let hasScreenTools: Bool
        if let known = fields.hasScreenTools { hasScreenTools = known } else { hasScreenTools = try reader.flag() }
        if hasScreenTools, fields.saysWholeVectors { try reader.skip(1) }
        if let numberBitCount = fields.numberBitCount { try reader.skip(numberBitCount) }
        if kind == Self.switchFrame { hasOwnSize = true } else { hasOwnSize = try reader.flag() }
    }
}
#endif
