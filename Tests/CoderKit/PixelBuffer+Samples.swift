package import Calotype

extension PixelBuffer {
    /// The red, green, blue and alpha of all 8-bit pixels, row by row.
    package var samples: [UInt8] {
        precondition(format == .rgba8, "samples of \(format)")
        return (0..<height).flatMap { row($0) }
    }

    /// Returns the red, green, blue and alpha of the pixels in row `y`.
    package func row(_ y: Int) -> [UInt8] {
        withRow(y) { (row: RawSpan) -> [UInt8] in
            row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> [UInt8] in Array(row) }
        }
    }

    /// Returns the red, green, blue and alpha of the 16-bit pixels in row `y`.
    package func row16(_ y: Int) -> [UInt16] {
        precondition(format == .rgba16, "samples of \(format)")
        return withRow(y) { (row: RawSpan) -> [UInt16] in
            row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> [UInt16] in Array(row.bindMemory(to: UInt16.self)) }
        }
    }

    /// Returns the red, green, blue and alpha of the floating-point pixels in row `y`.
    package func floats(_ y: Int) -> [Float] {
        precondition(format == .rgbaFloat, "samples of \(format)")
        return withRow(y) { (row: RawSpan) -> [Float] in
            row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> [Float] in Array(row.bindMemory(to: Float.self)) }
        }
    }
}

extension Image {
    /// Creates an image from samples, four for each pixel, row by row.
    package static func of(
        _ samples: [UInt8], _ size: PixelSize, format: PixelFormat = .rgba8, isOpaque: Bool = true,
        isGray: Bool = false, attributes: Attributes = Attributes()
    ) throws -> Image {
        precondition(samples.count == size.area * 4, "\(samples.count) samples for \(size) pixels")
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: size, format: format))
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                for index in 0..<size.width * 4 {
                    let sample = samples[y * size.width * 4 + index]
                    switch format {
                    case .rgba8:
                        row.storeBytes(of: sample, toByteOffset: index, as: UInt8.self)
                    case .rgba16:
                        row.storeBytes(of: UInt16(sample) * 257, toByteOffset: index * 2, as: UInt16.self)
                    case .rgbaFloat:
                        row.storeBytes(of: Float(sample) / 255, toByteOffset: index * 4, as: Float.self)
                    }
                }
            }
        }
        return Image(pixels: builder.finish(isOpaque: isOpaque, isGray: isGray), attributes: attributes)
    }
}
