#if COLOR
import Calotype

/// A converter for gray levels that uses a table. It is as exact as the profile and faster than any transform.
struct GrayRows: KeptRowConverter {
    private let table: Table

    private enum Table {
        case rgba8([UInt8])
        case rgba16([UInt16])
    }

    /// Creates a converter whose table contains the results of a transform from gray to sRGB. Returns nil for floating
    /// point.
    init?(_ transform: LittleCMSTransform, format: PixelFormat) {
        switch format {
        case .rgba8: table = .rgba8(Self.levels(of: transform))
        case .rgba16: table = .rgba16(Self.levels(of: transform))
        case .rgbaFloat: return nil
        }
    }

    var keepsGray: Bool { true }

    var byteCount: Int {
        switch table {
        case .rgba8(let levels): levels.count
        case .rgba16(let levels): 2 * levels.count
        }
    }

    func convert(_ row: inout MutableRawSpan) {
        row.withUnsafeMutableBytes { row in
            switch table {
            case .rgba8(let levels): Self.convert(row, by: levels)
            case .rgba16(let levels): Self.convert(row, by: levels)
            }
        }
    }

    private static func levels<Level: FixedWidthInteger & BitwiseCopyable>(
        of transform: LittleCMSTransform
    ) -> [Level] {
        let count = Int(Level.max) + 1
        var pixels = [Level](repeating: 0, count: 4 * count)
        for level in 0..<count { pixels[4 * level] = Level(level) }
        pixels.withUnsafeMutableBytes { transform.apply(to: $0.baseAddress!, count: count) }
        // If rounding makes the channels differ, green contributes most to the brightness.
        return (0..<count).map { pixels[4 * $0 + 1] }
    }

    private static func convert<Level: FixedWidthInteger & BitwiseCopyable>(
        _ row: UnsafeMutableRawBufferPointer, by table: [Level]
    ) {
        let levels = row.assumingMemoryBound(to: Level.self)
        table.withUnsafeBufferPointer { table in
            for pixel in stride(from: 0, to: levels.count, by: 4) {
                let level = table[Int(levels[pixel])]
                for channel in pixel..<pixel + 3 { levels[channel] = level }
            }
        }
    }
}
#endif
