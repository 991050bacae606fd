#if COLOR
import Calotype

/// The size of a tag: its bytes in the profile, and the bytes of its tables in memory.
///
/// Each tag is measured before Little CMS reads it, because Little CMS does not check whether the contents of a tag fit
/// into the tag.
struct ProfileTable {
    /// The number of bytes that the tag uses, from its start.
    private(set) var byteCount: Int
    /// The number of bytes of the tag's curves and tables in memory. A shared curve counts once for each channel.
    private(set) var tableByteCount = 0

    /// The number of bytes of a parametric curve in memory. Little CMS converts such a curve to 4,096 numbers of 16
    /// bits.
    private static let parametricTableByteCount = 2 * 4096
    /// The number of bytes of each number in the tables of Little CMS.
    private static let numberByteCount = 2
    /// The maximum number of values in a table. A grid with 17 nodes a side for four inks has 250,563 values. Little
    /// CMS takes 100 ms for a table of two million values.
    private static let maxNumberCount = 1 << 20
    /// The number of parameters of a parametric curve, by its function type, 0...4. Source: ICC.1:2022, table 68.
    private static let parameterCounts = [1, 3, 4, 5, 7]

    /// Measures a tag. Throws `badData` if it is damaged or has a type that is not permitted.
    /// - Parameters:
    ///   - start: The offset of the tag in the profile, which determines the alignment of its parts.
    ///   - channelCount: The number of channels of the device.
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

    /// Adds the next `count` bytes of the tag to ``byteCount``. Throws `badData` if the tag is shorter.
    private mutating func use(_ count: Int, in bytes: ProfileBytes) throws(ImageError) {
        _ = try bytes.bytes(at: byteCount, count: count)
        byteCount += count
    }

    /// Adds the size of the next table in the tag. In the profile, the table has `count` numbers of `width` bytes each.
    private mutating func useTable(_ count: Int, width: Int, in bytes: ProfileBytes) throws(ImageError) {
        guard count <= Self.maxNumberCount else {
            throw .unusableProfile("has a table of \(count) numbers; at most \(Self.maxNumberCount) are supported")
        }
        try use(count * width, in: bytes)
        tableByteCount += count * Self.numberByteCount
    }

    /// Adds the size of the next curve in the tag. Source: ICC.1:2022, sections 10.6 and 10.18.
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

    /// Adds the sizes of all curves and tables in a tag that converts between the device space and the connection
    /// space.
    /// - Parameter start: The offset of the tag in the profile, which determines the alignment of its parts.
    private mutating func addTables(
        _ type: ProfileSignature, in bytes: ProfileBytes, from inputCount: Int, to outputCount: Int, start: Int
    ) throws(ImageError) {
        guard try bytes.number(at: 8, byteCount: 1) == inputCount, try bytes.number(at: 9, byteCount: 1) == outputCount
        else { throw .unusableProfile("is damaged; the channels of a table do not match its color space") }
        switch type {
        case "mft1": try addTable8(in: bytes, from: inputCount, to: outputCount)
        case "mft2": try addTable16(in: bytes, from: inputCount, to: outputCount)
        default: try addElements(in: bytes, from: inputCount, to: outputCount, start: start)
        }
    }

    /// Adds the sizes of the tables in a tag of the type lut8Type. Source: ICC.1:2022, section 10.11.
    private mutating func addTable8(
        in bytes: ProfileBytes, from inputCount: Int, to outputCount: Int
    ) throws(ImageError) {
        let side = try bytes.number(at: 10, byteCount: 1)
        byteCount = 48
        try useTable(256 * inputCount, width: 1, in: bytes)
        try useTable(Self.nodeCount(of: repeatElement(side, count: inputCount)) * outputCount, width: 1, in: bytes)
        try useTable(256 * outputCount, width: 1, in: bytes)
    }

    /// Adds the sizes of the tables in a tag of the type lut16Type. Source: ICC.1:2022, section 10.10.
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

    /// Adds the sizes of the tables in a tag of the type lutAToBType or lutBToAType. Source: ICC.1:2022, sections 10.12
    /// and 10.13.
    /// - Parameter start: The offset of the tag in the profile. Each curve is padded to an offset in the profile that
    ///   is a multiple of four.
    private mutating func addElements(
        in bytes: ProfileBytes, from inputCount: Int, to outputCount: Int, start: Int
    ) throws(ImageError) {
        // The A curves are on the device's side. The B curves are on the other side, and so are the M curves next to
        // the matrix.
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

    /// Returns the number of nodes of a grid. It cannot overflow, because the largest grid has four sides of 255 nodes.
    private static func nodeCount(of sides: some Sequence<Int>) -> Int { sides.reduce(1, *) }

    /// The kinds of tags that conversions read.
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

    /// Returns whether any conversion reads the tag.
    static func isRead(_ tag: ProfileSignature) -> Bool { Kind(tag) != nil }
}
#endif
