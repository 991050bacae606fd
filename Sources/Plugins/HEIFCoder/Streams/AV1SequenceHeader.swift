#if HEIF
import Calotype

/// The header of an AV1 sequence.
///
/// Source: AV1 Bitstream & Decoding Process Specification (2019), section 5.5.
struct AV1SequenceHeader: Equatable {
    let header: StreamHeader
    /// The values that determine which fields the frame headers have.
    let fields: AV1FrameHeader.Fields
    /// The maximum size in pixels that a frame header can state.
    let maxFrameSize: PixelSize

    /// Parses the header of a sequence. Throws `badData` if the header is damaged.
    init(_ bytes: [UInt8]) throws(ImageError) {
        var reader = BitReader(bytes)
        let profile = try reader.bits(3)
        try reader.skip(1)
        let isReduced = try reader.flag()
        var fields = AV1FrameHeader.Fields(isReduced: isReduced)
        if isReduced { try reader.skip(5) } else { try Self.readOperatingPoints(&reader, &fields) }
        let bitCounts = (1 + (try reader.bits(4)), 1 + (try reader.bits(4)))
        let size = PixelSize(1 + (try reader.bits(bitCounts.0)), 1 + (try reader.bits(bitCounts.1)))
        maxFrameSize = PixelSize(1 << bitCounts.0, 1 << bitCounts.1)
        if !isReduced, try reader.flag() {
            let differenceBitCount = 2 + (try reader.bits(4))
            fields.numberBitCount = 1 + (try reader.bits(3)) + differenceBitCount
        }
        try reader.skip(3)
        if !isReduced { try Self.readTools(&reader, &fields) }
        try reader.skip(3)
        header = try Self.readColors(&reader, profile: profile, size: size)
        self.fields = fields
    }

    private static func readOperatingPoints(
        _ reader: inout BitReader, _ fields: inout AV1FrameHeader.Fields
    ) throws(ImageError) {
        var delayBitCount: Int?
        if try reader.flag() {
            try reader.skip(64)
            let isRegular = try reader.flag()
            if isRegular { _ = try reader.golomb() }
            if try reader.flag() {
                delayBitCount = 1 + (try reader.bits(5))
                try reader.skip(37)
                let timeBitCount = 1 + (try reader.bits(5))
                if !isRegular { fields.timeBitCount = timeBitCount }
            }
        }
        let hasDelays = try reader.flag()
        for _ in 0...(try reader.bits(5)) {
            try reader.skip(12)
            if try reader.bits(5) > 7 { try reader.skip(1) }
            if let delayBitCount, try reader.flag() { try reader.skip(2 * delayBitCount + 1) }
            if hasDelays, try reader.flag() { try reader.skip(4) }
        }
    }

    private static func readTools(
        _ reader: inout BitReader, _ fields: inout AV1FrameHeader.Fields
    ) throws(ImageError) {
        try reader.skip(4)
        let hasOrder = try reader.flag()
        if hasOrder { try reader.skip(2) }
        // Each value is either specified here or chosen by each frame.
        fields.hasScreenTools = try reader.flag() ? nil : reader.flag()
        if fields.hasScreenTools == false {
            fields.saysWholeVectors = true
        } else {
            fields.saysWholeVectors = try reader.flag()
            if !fields.saysWholeVectors { try reader.skip(1) }
        }
        if hasOrder { try reader.skip(3) }
    }

    private static func readColors(
        _ reader: inout BitReader, profile: Int, size: PixelSize
    ) throws(ImageError) -> StreamHeader {
        var bitDepth = try reader.flag() ? 10 : 8
        if profile == 2, bitDepth == 10, try reader.flag() { bitDepth = 12 }
        let isGray = profile == 1 ? false : try reader.flag()
        var colors = ColorDescription()
        let isTold = try reader.flag()
        if isTold {
            colors.primaries = try reader.bits(8)
            colors.transfer = try reader.bits(8)
            colors.matrix = try reader.bits(8)
        }
        // sRGB stored as red, green and blue always has the full range.
        let isPlainSRGB = !isGray && colors.primaries == 1 && colors.transfer == 13 && colors.matrix == 0
        colors.isFullRange = try isPlainSRGB ? true : reader.flag()
        return StreamHeader(size: size, codedSize: size, bitDepth: bitDepth, isGray: isGray, colors: colors)
    }
}
#endif
