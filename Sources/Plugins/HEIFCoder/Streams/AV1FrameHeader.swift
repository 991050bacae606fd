#if HEIF
import Calotype

/// The beginning of the header of a frame in AV1, as far as it says whether the frame has a size of its own.
///
/// Source: AV1 Bitstream & Decoding Process Specification (2019), section 5.9.2.
struct AV1FrameHeader {
    /// Whether the frame has another size than the sequence says.
    let hasOwnSize: Bool

    /// The fields of a sequence's header that decide which fields a frame's header has.
    struct Fields: Equatable, Sendable {
        /// Whether frames have no size of their own, and no fields that stills do not need.
        var isReduced = false
        /// The number of bits of the time at which a frame is shown; nil without one.
        var timeBitCount: Int?
        /// The number of bits of the number of a frame; nil without one.
        var numberBitCount: Int?
        /// Whether tools for screen contents are in use; nil if every frame says so.
        var hasScreenTools: Bool?
        /// Whether each frame with these tools says that its vectors are whole numbers.
        var saysWholeVectors = false
    }

    private static let keyFrame = 0
    private static let switchFrame = 3

    /// Throws `badData` where the header is cut off.
    init(_ bytes: [UInt8], _ fields: Fields) throws(ImageError) {
        guard !fields.isReduced else {
            hasOwnSize = false
            return
        }
        var reader = BitReader(bytes)
        // A frame that is there already is shown.
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
