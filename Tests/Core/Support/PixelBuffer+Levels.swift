import CalotypeTesting

@testable import Calotype

extension PixelFormat {
    /// The value of a full channel in the format's own units, called levels: 255, 65,535 or 1.
    var fullLevel: Double {
        switch self {
        case .rgba8: 255
        case .rgba16: 65_535
        case .rgbaFloat: 1
        }
    }

    /// Returns the level of a channel in 65,535ths: its upper eight bits, all of it, or a fraction.
    func level(of part: UInt16) -> Double {
        switch self {
        case .rgba8: Double(part >> 8)
        case .rgba16: Double(part)
        case .rgbaFloat: Double(Float(part) / 65_535)
        }
    }
}

extension PixelBuffer {
    /// The red, green, blue and alpha of all pixels, row by row, in levels.
    var levels: [Double] {
        var found: [Double] = []
        found.reserveCapacity(width * height * 4)
        for y in 0..<height {
            withRow(y) { (row: RawSpan) -> Void in
                row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Void in
                    for index in 0..<width * 4 {
                        switch format {
                        case .rgba8:
                            found.append(Double(row[index]))
                        case .rgba16:
                            found.append(Double(row.load(fromByteOffset: index * 2, as: UInt16.self)))
                        case .rgbaFloat:
                            found.append(Double(row.load(fromByteOffset: index * 4, as: Float.self)))
                        }
                    }
                }
            }
        }
        return found
    }

    /// Creates pixels from the four channels that `levels` returns for each column and row.
    static func drawn(
        _ size: PixelSize, _ format: PixelFormat = .rgba8, isOpaque: Bool = false, isGray: Bool = false,
        levels: (_ x: Int, _ y: Int) -> [Double]
    ) throws -> PixelBuffer {
        let layout = PixelLayout(size: size, format: format, isOpaque: isOpaque, isGray: isGray)
        // The claims of the layout must be true.
        var builder = try PixelBufferBuilder(uninitialized: layout)
        let bytesPerRow = builder.bytesPerRow
        builder.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) -> Void in
            // Padding has a recognizable value, which reveals code that treats it as pixels.
            _ = memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let place = y * bytesPerRow + x * format.bytesPerPixel
                    let levels = levels(x, y)
                    for channel in levels.indices {
                        let level = levels[channel]
                        switch format {
                        case .rgba8:
                            memory.storeBytes(of: UInt8(level), toByteOffset: place + channel, as: UInt8.self)
                        case .rgba16:
                            memory.storeBytes(of: UInt16(level), toByteOffset: place + channel * 2, as: UInt16.self)
                        case .rgbaFloat:
                            memory.storeBytes(of: Float(level), toByteOffset: place + channel * 4, as: Float.self)
                        }
                    }
                }
            }
        }
        return builder.finish()
    }

    /// Creates pixels of random colors, the same for the same seed. Unless they are opaque, a quarter of them is
    /// transparent, a quarter is opaque, and the others are translucent.
    static func noise(
        _ size: PixelSize, _ format: PixelFormat = .rgba8, isOpaque: Bool = false, seed: UInt64
    ) throws -> PixelBuffer {
        var random = SplitMix64(seed: seed)
        return try drawn(size, format, isOpaque: isOpaque) { _, _ in
            let bits = random.next()
            var parts = [bits, bits >> 16, bits >> 32, bits >> 48].map { UInt16(truncatingIfNeeded: $0) }
            if isOpaque || parts[3] & 3 == 1 {
                parts[3] = .max
            } else if parts[3] & 3 == 0 {
                parts[3] = 0
            }
            return parts.map { format.level(of: $0) }
        }
    }
}
