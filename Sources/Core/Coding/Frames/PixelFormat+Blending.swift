extension PixelFormat {
    /// Draws pixels over others, by their straight alpha, as Porter and Duff's "over" has it.
    ///
    /// Rounds once and exactly. What cannot be seen leaves what is below as it is, its colour too; over what cannot be
    /// seen, and where nothing shows through, a pixel replaces what is below.
    /// - Parameters:
    ///   - row: The pixels to draw, of this format.
    ///   - target: The pixels below, which become the result.
    ///   - pixelCount: How many.
    func draw(_ row: UnsafeRawPointer, over target: UnsafeMutableRawPointer, pixelCount: Int) {
        switch self {
        case .rgba8: Self.draw(row, over: target, pixelCount, UInt8.self, in: UInt32.self)
        case .rgba16: Self.draw(row, over: target, pixelCount, UInt16.self, in: UInt64.self)
        case .rgbaFloat: Self.drawFloats(row, over: target, pixelCount)
        }
    }

    /// - Parameter _: Numbers that hold the cube of a full level and half as much again, and are as large as a pixel.
    private static func draw<Level, Wide>(
        _ row: UnsafeRawPointer, over target: UnsafeMutableRawPointer, _ pixelCount: Int, _: Level.Type,
        in _: Wide.Type
    )
    where
        Level: FixedWidthInteger & UnsignedInteger & BitwiseCopyable,
        Wide: FixedWidthInteger & UnsignedInteger & BitwiseCopyable
    {
        let levels = row.assumingMemoryBound(to: Level.self)
        let below = target.assumingMemoryBound(to: Level.self)
        let full = Wide(Level.max)
        let bits = Wide(Level.bitWidth)
        for first in stride(from: 0, to: pixelCount * 4, by: 4) {
            let alpha = Wide(levels[first + 3])
            guard alpha > 0 else { continue }
            let alphaBelow = Wide(below[first + 3])
            let shownThrough = full &- alpha
            if shownThrough == 0 || alphaBelow == 0 {
                let place = first * MemoryLayout<Level>.size
                target.storeBytes(
                    of: row.load(fromByteOffset: place, as: Wide.self), toByteOffset: place, as: Wide.self)
            } else if alphaBelow == full {
                // The result is opaque, so that the weights are parts of the full: dividing by it takes no division.
                for channel in first..<first + 3 {
                    let sum = Wide(levels[channel]) &* alpha &+ Wide(below[channel]) &* shownThrough
                    let raised = sum &+ (full &+ 1) / 2
                    below[channel] = Level(truncatingIfNeeded: (raised &+ (raised &>> bits)) &>> bits)
                }
            } else {
                let weight = alpha &* full
                let weightBelow = alphaBelow &* shownThrough
                let whole = weight &+ weightBelow
                for channel in first..<first + 3 {
                    let sum = Wide(levels[channel]) &* weight &+ Wide(below[channel]) &* weightBelow
                    below[channel] = Level(truncatingIfNeeded: (sum &+ whole / 2) / whole)
                }
                below[first + 3] = Level(truncatingIfNeeded: (whole &+ full / 2) / full)
            }
        }
    }

    private static func drawFloats(
        _ row: UnsafeRawPointer, over target: UnsafeMutableRawPointer, _ pixelCount: Int
    ) {
        let levels = row.assumingMemoryBound(to: SIMD4<Float>.self)
        let below = target.assumingMemoryBound(to: SIMD4<Float>.self)
        for pixel in 0..<pixelCount {
            let (alpha, alphaBelow) = (levels[pixel].w, below[pixel].w)
            guard alpha > 0 else { continue }
            let weightBelow = max(0, alphaBelow * (1 - alpha))
            let whole = alpha + weightBelow
            below[pixel] = (levels[pixel] * alpha + below[pixel] * weightBelow) / whole
            below[pixel].w = whole
        }
    }
}
