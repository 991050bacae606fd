#if COLOR
import Calotype

/// The extent of a tag that conversions read: its bytes in the profile, and those of its tables in memory.
///
/// Little CMS does not hold a tag to its size, and takes whatever counts and offsets say. So each tag is measured
/// before: it has a type that such a tag may have, and everything that the type says lies within it.
struct ProfileTable {
    /// The bytes that the tag uses, from its start.
    private(set) var byteCount: Int
    /// The bytes of its curves and tables once they are read; shared ones count as often as they are used.
    private(set) var tableByteCount = 0

    /// The bytes of a parametric curve in memory: Little CMS makes it a table of 4,096 numbers of 16 bits.
    private static let parametricTableByteCount = 2 * 4096
    /// The bytes of a number in the tables of Little CMS.
    private static let numberByteCount = 2
    /// The most numbers of one table. A grid of 17 nodes a side for four inks has 250,563, one of 33 nodes for red,
    /// green and blue 107,811; Little CMS takes 100 ms for two million.
    private static let maxNumberCount = 1 << 20
    /// The numbers of each parametric curve, by its function. Source: ICC.1:2022, table 68.
    private static let parameterCounts = [1, 3, 4, 5, 7]

    /// Measures a tag. Throws `badData` when it is damaged, or has a type that it may not have.
    /// - Parameters:
    ///   - tag: The tag's signature.
    ///   - bytes: Its bytes.
    ///   - start: Its offset in the profile, by which its parts are aligned.
    ///   - channelCount: How many channels the device has.
    init(
        _ tag: ProfileSignature, _ bytes: ProfileBytes, at start: Int, channelCount: Int
    ) throws(ImageError) {
        byteCount = 8
        let type = try bytes.signature(at: 0)
        switch (Kind(tag), type) {
        case (.color, "XYZ "), (.color, .corbisColor):
            try use(12, in: bytes)
        case (.curve, "curv"), (.curve, "para"), (.curve, .monacoCurve):
            byteCount = 0
            try addCurve(in: bytes)
        case (.toConnection, "mft1"), (.toConnection, "mft2"), (.toConnection, "mAB "):
            try addTables(type, in: bytes, from: channelCount, to: 3, start: start)
        case (.fromConnection, "mft1"), (.fromConnection, "mft2"), (.fromConnection, "mBA "):
            try addTables(type, in: bytes, from: 3, to: channelCount, start: start)
        default:
            throw .unusableProfile("is damaged; its tag \(tag) has the type \(type)")
        }
    }

    /// Counts `count` bytes more as used.
    private mutating func use(_ count: Int, in bytes: ProfileBytes) throws(ImageError) {
        _ = try bytes.bytes(at: byteCount, count: count)
        byteCount += count
    }

    /// Counts a table of `count` numbers, `width` bytes each in the profile, that follows.
    private mutating func useTable(_ count: Int, width: Int, in bytes: ProfileBytes) throws(ImageError) {
        guard count <= Self.maxNumberCount else { throw .unusableProfile("has a table of \(count) numbers") }
        try use(count * width, in: bytes)
        tableByteCount += count * Self.numberByteCount
    }

    /// Counts the curve that follows. Source: ICC.1:2022, sections 10.6 and 10.18.
    private mutating func addCurve(in bytes: ProfileBytes) throws(ImageError) {
        let start = byteCount
        try use(12, in: bytes)
        switch try bytes.signature(at: start) {
        case "curv", .monacoCurve:
            try useTable(try bytes.number(at: start + 8, byteCount: 4), width: 2, in: bytes)
        case "para":
            let function = try bytes.number(at: start + 8, byteCount: 2)
            guard Self.parameterCounts.indices.contains(function) else {
                throw .unusableProfile("is damaged; it has a parametric curve of the unknown function \(function)")
            }
            try use(4 * Self.parameterCounts[function], in: bytes)
            tableByteCount += Self.parametricTableByteCount
        case let type:
            throw .unusableProfile("is damaged; it has a curve of the type \(type)")
        }
    }

    /// Counts the tables of a conversion between the device and the connection space.
    private mutating func addTables(
        _ type: ProfileSignature, in bytes: ProfileBytes, from inputCount: Int, to outputCount: Int, start: Int
    ) throws(ImageError) {
        guard try bytes.number(at: 8, byteCount: 1) == inputCount, try bytes.number(at: 9, byteCount: 1) == outputCount
        else { throw .unusableProfile("is damaged; a table of it has not the channels of its color space") }
        switch type {
        case "mft1": try addTable8(in: bytes, from: inputCount, to: outputCount)
        case "mft2": try addTable16(in: bytes, from: inputCount, to: outputCount)
        default: try addElements(in: bytes, from: inputCount, to: outputCount, start: start)
        }
    }

    /// Source: ICC.1:2022, section 10.11 (lut8Type).
    private mutating func addTable8(
        in bytes: ProfileBytes, from inputCount: Int, to outputCount: Int
    ) throws(ImageError) {
        let side = try bytes.number(at: 10, byteCount: 1)
        byteCount = 48
        try useTable(256 * inputCount, width: 1, in: bytes)
        try useTable(Self.nodeCount(of: repeatElement(side, count: inputCount)) * outputCount, width: 1, in: bytes)
        try useTable(256 * outputCount, width: 1, in: bytes)
    }

    /// Source: ICC.1:2022, section 10.10 (lut16Type).
    private mutating func addTable16(
        in bytes: ProfileBytes, from inputCount: Int, to outputCount: Int
    ) throws(ImageError) {
        let side = try bytes.number(at: 10, byteCount: 1)
        let inputEntryCount = try bytes.number(at: 48, byteCount: 2)
        let outputEntryCount = try bytes.number(at: 50, byteCount: 2)
        byteCount = 52
        try useTable(inputEntryCount * inputCount, width: 2, in: bytes)
        try useTable(Self.nodeCount(of: repeatElement(side, count: inputCount)) * outputCount, width: 2, in: bytes)
        try useTable(outputEntryCount * outputCount, width: 2, in: bytes)
    }

    /// Source: ICC.1:2022, sections 10.12 (lutAToBType) and 10.13 (lutBToAType).
    private mutating func addElements(
        in bytes: ProfileBytes, from inputCount: Int, to outputCount: Int, start: Int
    ) throws(ImageError) {
        // The curves on the device's side are A, those on the other B; M are beside the matrix, on the connection's.
        let deviceCount = outputCount == 3 ? inputCount : outputCount
        var end = 32
        for (place, curveCount) in [(12, 3), (20, 3), (28, deviceCount)] {
            let offset = try bytes.number(at: place, byteCount: 4)
            guard offset > 0 else { continue }
            byteCount = offset
            for _ in 0..<curveCount {
                try addCurve(in: bytes)
                byteCount += -(start + byteCount) & 3
            }
            end = max(end, min(byteCount, bytes.count))
        }
        let matrix = try bytes.number(at: 16, byteCount: 4)
        if matrix > 0 {
            byteCount = matrix
            try use(48, in: bytes)
            end = max(end, byteCount)
        }
        let table = try bytes.number(at: 24, byteCount: 4)
        if table > 0 {
            byteCount = table
            try use(20, in: bytes)
            let sides = try bytes.bytes(at: table, count: inputCount).map(Int.init)
            let width = try bytes.number(at: table + 16, byteCount: 1)
            guard width == 1 || width == 2 else {
                throw .unusableProfile("is damaged; it has a table of numbers of \(width) bytes")
            }
            try useTable(Self.nodeCount(of: sides) * outputCount, width: width, in: bytes)
            end = max(end, byteCount)
        }
        byteCount = end
    }

    /// Returns the number of nodes of a grid. The largest has four sides of 255.
    private static func nodeCount(of sides: some Sequence<Int>) -> Int { sides.reduce(1, *) }

    /// The uses of tags that a conversion reads.
    private enum Kind {
        case color
        case curve
        case toConnection
        case fromConnection

        init?(_ tag: ProfileSignature) {
            switch tag {
            case "rXYZ", "gXYZ", "bXYZ": self = .color
            case "rTRC", "gTRC", "bTRC", "kTRC": self = .curve
            case "A2B0", "A2B1": self = .toConnection
            case "B2A0", "B2A1": self = .fromConnection
            default: return nil
            }
        }
    }

    /// Whether some conversion reads the tag.
    static func isRead(_ tag: ProfileSignature) -> Bool { Kind(tag) != nil }
}
#endif
