#if HEIF
import Calotype

/// The sequence parameter set of an HEVC stream, up to its color description.
///
/// Source: ITU-T H.265 (08/2021), sections 7.3.2.2, 7.3.3, 7.3.4, 7.3.7 and E.2.1.
struct HEVCParameters {
    let header: StreamHeader

    private var reader: BitReader
    /// The side of the largest block in HEVC, in pixels. A stream must crop fewer columns and fewer rows than this.
    private static let maxEdge = 64

    /// Parses a sequence parameter set. Throws `badData` if the set is damaged or of an unsupported kind.
    /// - Parameter unit: The unit that contains the set, without its header.
    init(_ unit: ArraySlice<UInt8>) throws(ImageError) {
        reader = BitReader(Self.unescaped(unit))
        try reader.skip(4)
        let sublayerCount = try reader.bits(3)
        try reader.skip(1)
        try Self.skipProfile(sublayerCount, &reader)
        _ = try reader.golomb()
        let chroma = try reader.golomb()
        guard chroma <= 3 else { throw .damagedHEIF("its HEVC stream has an unknown chroma format") }
        if chroma == 3 { try reader.skip(1) }
        let coded = PixelSize(try reader.golomb(), try reader.golomb())
        var (size, hasEdgeBefore) = (coded, false)
        if try reader.flag() {
            let edges = (
                left: try reader.golomb(), right: try reader.golomb(), top: try reader.golomb(),
                bottom: try reader.golomb()
            )
            hasEdgeBefore = edges.left + edges.top > 0
            // The offsets are in chroma samples.
            size.width -= (edges.left + edges.right) * (chroma == 1 || chroma == 2 ? 2 : 1)
            size.height -= (edges.top + edges.bottom) * (chroma == 1 ? 2 : 1)
        }
        // A decoder also processes cropped pixels. Cropping is normally only used to fill the last block, so larger
        // values are suspicious.
        guard !size.isEmpty, coded.width - size.width < Self.maxEdge, coded.height - size.height < Self.maxEdge else {
            throw .damagedHEIF("its HEVC stream crops \(coded) pixels to \(size)")
        }
        let depths = (luma: 8 + (try reader.golomb()), chroma: 8 + (try reader.golomb()))
        guard depths.luma <= 16, chroma == 0 || depths.luma == depths.chroma else {
            throw .damagedHEIF("its HEVC stream has \(depths.luma) bits of luma and \(depths.chroma) of chroma")
        }
        guard depths.luma == 8 || !hasEdgeBefore else {
            // libde265 1.0.11 confuses bytes with samples in such a stream.
            throw .unreadableHEIF("its HEVC stream is cropped at the left or the top, and has more than 8 bits")
        }
        let colors = try Self.readColors(&reader, sublayerCount: sublayerCount)
        header = StreamHeader(
            size: size, codedSize: coded, bitDepth: depths.luma, isGray: chroma == 0, colors: colors)
    }

    /// Returns the bytes of a unit without emulation prevention bytes: each 3 that follows two zero bytes.
    private static func unescaped(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var zeroCount = 0
        for byte in unit {
            if zeroCount >= 2, byte == 3 {
                zeroCount = 0
                continue
            }
            zeroCount = byte == 0 ? zeroCount + 1 : 0
            bytes.append(byte)
        }
        return bytes
    }

    private static func skipProfile(_ sublayerCount: Int, _ reader: inout BitReader) throws(ImageError) {
        try reader.skip(96)
        guard sublayerCount > 0 else { return }
        var byteCount = 0
        for index in 0..<8 {
            let isThere = (profile: try reader.flag(), level: try reader.flag())
            guard index < sublayerCount else { continue }
            byteCount += (isThere.profile ? 11 : 0) + (isThere.level ? 1 : 0)
        }
        try reader.skip(byteCount * 8)
    }

    /// Reads the color description of the stream. Returns nil if there is none or ``skipReferences(_:)`` returns false.
    private static func readColors(
        _ reader: inout BitReader, sublayerCount: Int
    ) throws(ImageError) -> ColorDescription? {
        let orderBitCount = 4 + (try reader.golomb())
        guard orderBitCount <= 16 else { throw .damagedHEIF("the header of its HEVC stream is invalid") }
        let isEverySublayer = try reader.flag()
        for _ in 0..<(isEverySublayer ? sublayerCount + 1 : 1) * 3 { _ = try reader.golomb() }
        for _ in 0..<6 { _ = try reader.golomb() }
        if try reader.flag(), try reader.flag() { try skipScaling(&reader) }
        try reader.skip(2)
        if try reader.flag() {
            try reader.skip(8)
            _ = (try reader.golomb(), try reader.golomb())
            try reader.skip(1)
        }
        guard try skipReferences(&reader) else { return nil }
        if try reader.flag() {
            let count = try reader.golomb()
            guard count <= 32 else { throw .damagedHEIF("the header of its HEVC stream is invalid") }
            try reader.skip(count * (orderBitCount + 1))
        }
        try reader.skip(2)
        guard try reader.flag() else { return nil }
        if try reader.flag(), try reader.bits(8) == 255 { try reader.skip(32) }
        if try reader.flag() { try reader.skip(1) }
        guard try reader.flag() else { return nil }
        try reader.skip(3)
        let isFullRange = try reader.flag()
        var colors = ColorDescription(isFullRange: isFullRange)
        if try reader.flag() {
            colors.primaries = try reader.bits(8)
            colors.transfer = try reader.bits(8)
            colors.matrix = try reader.bits(8)
        }
        return colors
    }

    private static func skipScaling(_ reader: inout BitReader) throws(ImageError) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                guard try reader.flag() else {
                    _ = try reader.golomb()
                    continue
                }
                for _ in 0..<min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) { _ = try reader.golomb() }
            }
        }
    }

    /// Skips the lists of reference pictures. Returns false if a list is based on another list, which is not supported.
    private static func skipReferences(_ reader: inout BitReader) throws(ImageError) -> Bool {
        for index in 0..<(try reader.golomb()) {
            if index > 0, try reader.flag() { return false }
            let count = (try reader.golomb()) + (try reader.golomb())
            for _ in 0..<count {
                _ = try reader.golomb()
                try reader.skip(1)
            }
        }
        return true
    }
}
#endif
