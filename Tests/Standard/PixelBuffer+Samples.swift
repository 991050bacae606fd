#if COLOR && PNG && JPEG
import CalotypeStandard

extension PixelBuffer {
    /// Creates opaque 8-bit pixels from red, green, blue and alpha, row by row.
    static func of(_ samples: [Int], _ size: PixelSize) throws -> PixelBuffer {
        precondition(samples.count == size.area * 4, "\(samples.count) samples for \(size) pixels")
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size))
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for index in 0..<size.width * 4 {
                    let sample = UInt8(samples[y * size.width * 4 + index])
                    row.storeBytes(of: sample, toByteOffset: index, as: UInt8.self)
                }
            }
        }
        return builder.finish(isOpaque: true)
    }

    /// The red, green, blue and alpha of all pixels, row by row, at their bit depth.
    var samples: [Int] {
        precondition(format != .rgbaFloat, "samples of \(format)")
        return (0..<height).flatMap { y in
            withRow(y) { (row: RawSpan) -> [Int] in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> [Int] in
                    switch format {
                    case .rgba16: row.bindMemory(to: UInt16.self).map { Int($0) }
                    default: row.map { Int($0) }
                    }
                }
            }
        }
    }

    /// The same samples in 16 bits.
    var samples16: [Int] {
        format == .rgba16 ? samples : samples.map { $0 * 257 }
    }
}
#endif
