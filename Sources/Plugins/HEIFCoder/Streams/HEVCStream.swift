#if HEIF
import Calotype

/// A parsed and checked HEVC stream of a picture. It consists of units (NAL units).
///
/// Source: ISO/IEC 14496-15:2022, section 8.3.3.1, for the configuration; ITU-T H.265 (08/2021), section 7.3.
struct HEVCStream {
    let header: StreamHeader
    /// The decoder configuration, changed to state that the length of each unit in ``data`` takes four bytes.
    private(set) var configuration: [UInt8]
    /// The units of the first picture, each preceded by its length in four bytes. Units of further pictures are
    /// omitted, so that the codec does not decode invisible pictures.
    private(set) var data: [UInt8] = []

    /// The offset in the decoder configuration of the byte with `lengthSizeMinusOne`. This value plus one is the number
    /// of bytes that the length before each unit takes. The byte at the next offset is the number of lists of units.
    private static let lengthPlace = 21
    private static let unitHeaderByteCount = 2
    /// The lowest unit type that does not stand for a slice of a picture.
    private static let firstOtherKind = 32
    private static let sequenceParameters = 33
    /// The types of the units that a decoder configuration may contain: video, sequence and picture parameter sets, and
    /// supplemental information.
    private static let parameterKinds: Set<Int> = [32, 33, 34, 39, 40]
    /// The maximum number of units, including those in the decoder configuration. It permits all slices of a picture at
    /// the highest level (ITU-T H.265, table A.8), and some other units.
    private static let maxUnitCount = 664

    /// Parses a stream. Throws `badData` if the stream is damaged, contradicts itself, or has too many units.
    init(configuration: [UInt8], data: [UInt8]) throws(ImageError) {
        guard configuration.count > Self.lengthPlace + 1 else {
            throw .damagedHEIF("its HEVC configuration is truncated")
        }
        self.configuration = configuration
        self.configuration[Self.lengthPlace] |= 3
        var header: StreamHeader?
        func look(at unit: ArraySlice<UInt8>) throws(ImageError) {
            guard Self.kind(of: unit) == Self.sequenceParameters else { return }
            let found = try HEVCParameters(unit.dropFirst(Self.unitHeaderByteCount)).header
            guard header == nil || header == found else { throw .damagedHEIF("the headers of its HEVC stream differ") }
            header = found
        }
        var unitCount = 0
        var rest = configuration[(Self.lengthPlace + 1)...]
        let listCount = try Self.number(1, of: &rest)
        for _ in 0..<listCount {
            _ = try Self.number(1, of: &rest)
            for _ in 0..<(try Self.number(2, of: &rest)) {
                let unit = try Self.unit(2, of: &rest)
                // The decoder receives these units first, so they must not contain a picture.
                guard Self.parameterKinds.contains(Self.kind(of: unit)) else {
                    throw .damagedHEIF("its HEVC configuration contains other units than parameter sets")
                }
                try look(at: unit)
                unitCount += 1
            }
        }
        let lengthSize = Int(configuration[Self.lengthPlace] & 3) + 1
        rest = data[...]
        var pictureCount = 0
        while !rest.isEmpty {
            let unit = try Self.unit(lengthSize, of: &rest)
            guard unit.count > Self.unitHeaderByteCount else { continue }
            try look(at: unit)
            if Self.beginsPicture(unit) { pictureCount += 1 }
            guard pictureCount <= 1 else { break }
            unitCount += 1
            guard unitCount <= Self.maxUnitCount else {
                throw .damagedHEIF("its HEVC stream has more than \(Self.maxUnitCount) units")
            }
            self.data += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: unit.count >> $0) } + unit
        }
        guard let header else { throw .damagedHEIF("its HEVC stream does not state its size") }
        self.header = header
    }

    private static func kind(of unit: ArraySlice<UInt8>) -> Int {
        unit.count > unitHeaderByteCount ? Int(unit.first! >> 1 & 63) : firstOtherKind
    }

    /// Returns whether a unit is the first slice of a picture. The first bit after the header of the unit states this.
    private static func beginsPicture(_ unit: ArraySlice<UInt8>) -> Bool {
        kind(of: unit) < firstOtherKind && unit[unit.startIndex + unitHeaderByteCount] & 0x80 != 0
    }

    private static func number(_ byteCount: Int, of bytes: inout ArraySlice<UInt8>) throws(ImageError) -> Int {
        guard bytes.count >= byteCount else { throw .damagedHEIF("its HEVC stream is truncated") }
        defer { bytes = bytes.dropFirst(byteCount) }
        return bytes.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
    }

    private static func unit(
        _ lengthSize: Int, of bytes: inout ArraySlice<UInt8>
    ) throws(ImageError) -> ArraySlice<UInt8> {
        let count = try number(lengthSize, of: &bytes)
        guard bytes.count >= count else { throw .damagedHEIF("its HEVC stream is truncated") }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
#endif
