/// A converter of ink to opaque red, green and blue without a profile, as described for ``RowChannels/cmyk``.
struct NaiveCMYK: RowConverter {
    let format: PixelFormat

    func convert(_ row: inout MutableRawSpan) {
        row.withUnsafeMutableBytes { row in
            switch format {
            case .rgba8: Self.convert(row, of: UInt8.self)
            case .rgba16: Self.convert(row, of: UInt16.self)
            case .rgbaFloat: Self.convertFloats(row)
            }
        }
    }

    private static func convert<Level: FixedWidthInteger & BitwiseCopyable>(
        _ row: UnsafeMutableRawBufferPointer, of _: Level.Type
    ) {
        let full = UInt32(Level.max)
        let levels = row.assumingMemoryBound(to: Level.self)
        for pixel in stride(from: 0, to: levels.count, by: 4) {
            let light = full - UInt32(levels[pixel + 3])
            for channel in pixel..<pixel + 3 {
                // Rounding has no ties, because `full` is odd. The sum does not overflow: 65,535 squared plus half of
                // 65,535 fits into 32 bits.
                levels[channel] = Level(((full - UInt32(levels[channel])) * light + full / 2) / full)
            }
            levels[pixel + 3] = .max
        }
    }

    private static func convertFloats(_ row: UnsafeMutableRawBufferPointer) {
        let levels = row.assumingMemoryBound(to: Float.self)
        for pixel in stride(from: 0, to: levels.count, by: 4) {
            let light = 1 - levels[pixel + 3]
            for channel in pixel..<pixel + 3 { levels[channel] = (1 - levels[channel]) * light }
            levels[pixel + 3] = 1
        }
    }
}
