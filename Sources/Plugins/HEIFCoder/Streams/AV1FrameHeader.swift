#if HEIF
import Calotype

/// The beginning of an AV1 frame header, up to the flag that tells whether the frame has its own size.
///
/// Source: AV1 Bitstream & Decoding Process Specification (2019), section 5.9.2.
struct AV1FrameHeader {
    /// Whether the frame has a size other than that of the sequence.
    let hasOwnSize: Bool

    /// The fields of a sequence header that determine the fields of frame headers.
    struct Fields: Equatable, Sendable {
        /// Whether frames have neither their own size nor fields that still images do not need.
        var isReduced = false
        /// The number of bits of a frame's presentation time; nil for none.
        var timeBitCount: Int?
        /// The number of bits of a frame number; nil for none.
        var numberBitCount: Int?
        /// Whether screen content tools are in use; nil if each frame specifies it.
        var hasScreenTools: Bool?
        /// Whether each frame with these tools specifies whether its motion vectors are integers.
        var saysWholeVectors = false
    }

    private static let keyFrame = 0
    private static let switchFrame = 3

    /// Parses a header. Throws `badData` if it is truncated.
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
