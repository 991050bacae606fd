#if PNG
import Calotype

extension PixelBuffer {
    /// The red, green, blue and alpha of all pixels, row by row. Floats are scaled to 16 bits.
    var samples: [Int] {
        var samples: [Int] = []
        samples.reserveCapacity(width * height * 4)
        for y in 0..<height {
            withRow(y) { (row: RawSpan) -> Void in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Void in
                    // One loop for each format: tests call this for millions of pixels.
                    switch format {
                    case .rgba8:
                        for byte in row { samples.append(Int(byte)) }
                    case .rgba16:
                        for word in row.bindMemory(to: UInt16.self) { samples.append(Int(word)) }
                    case .rgbaFloat:
                        for value in row.bindMemory(to: Float.self) { samples.append(Int((value * 65535).rounded())) }
                    }
                }
            }
        }
        return samples
    }

    /// All pixels, row by row, each as one number. For 8 and 16 bits.
    var words: [UInt64] {
        (0..<height).flatMap { y in
            withRow(y) { row in
                row.withUnsafeBytes { row in
                    format == .rgba8
                        ? row.bindMemory(to: UInt32.self).map { UInt64($0) } : Array(row.bindMemory(to: UInt64.self))
                }
            }
        }
    }
}

extension Image {
    /// Returns an image with a pattern of various values that matches the layout.
    static func pattern(_ layout: PixelLayout, attributes: Attributes = Attributes()) throws -> Image {
        var builder = try PixelBufferBuilder(layout: layout)
        for y in 0..<layout.size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for index in 0..<layout.size.width * 4 {
                    let channel = index % 4
                    let shade = layout.isGray && channel < 3 ? 0 : channel
                    let value =
                        layout.isOpaque && channel == 3
                        ? 65535 : ((index / 4) * 7919 + y * 26_821 + shade * 31_337) % 65536
                    switch layout.format {
                    case .rgba8:
                        row.storeBytes(of: UInt8(value >> 8), toByteOffset: index, as: UInt8.self)
                    case .rgba16:
                        row.storeBytes(of: UInt16(value), toByteOffset: index * 2, as: UInt16.self)
                    case .rgbaFloat:
                        row.storeBytes(of: Float(value) / 65535, toByteOffset: index * 4, as: Float.self)
                    }
                }
            }
        }
        return Image(
            pixels: builder.finish(isOpaque: layout.isOpaque, isGray: layout.isGray), attributes: attributes)
    }
}
#endif
