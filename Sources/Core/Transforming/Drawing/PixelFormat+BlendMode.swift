import CKernels

extension PixelFormat {
    /// Blends `row` with `target`. Both have this format.
    /// - Parameter opacity: A factor for the alpha of `row`, 0 to 1.
    package func blend(
        _ row: UnsafeRawPointer, over target: UnsafeMutableRawPointer, pixelCount: Int, mode: BlendMode, opacity: Double
    ) {
        switch mode {
        case .normal where opacity == 1:
            return draw(row, over: target, pixelCount: pixelCount)
        case .copy where opacity == 1:
            return target.copyMemory(from: row, byteCount: pixelCount * bytesPerPixel)
        default: break
        }
        let (mode, opacity) = (mode.kernelMode, Float(opacity))
        switch self {
        case .rgba8:
            ck_blend_rgba8(
                mode, row.assumingMemoryBound(to: UInt8.self), opacity, target.assumingMemoryBound(to: UInt8.self),
                pixelCount)
        case .rgba16:
            ck_blend_rgba16(
                mode, row.assumingMemoryBound(to: UInt16.self), opacity, target.assumingMemoryBound(to: UInt16.self),
                pixelCount)
        case .rgbaFloat:
            ck_blend_rgba_float(
                mode, row.assumingMemoryBound(to: Float.self), opacity, target.assumingMemoryBound(to: Float.self),
                pixelCount)
        }
    }

    /// Returns a color as the bytes of a pixel, with limited channels (``PixelBufferBuilder/fill(_:in:job:)``).
    func bytes(of color: PixelColor) -> [UInt8] {
        let channels = [color.red, color.green, color.blue, color.alpha]
        func levels<Level: FixedWidthInteger>(_: Level.Type) -> [Level] {
            channels.map { Level((min(max($0.isNaN ? 0 : $0, 0), 1) * Double(Level.max)).rounded()) }
        }
        switch self {
        case .rgba8: return levels(UInt8.self)
        case .rgba16: return levels(UInt16.self).withUnsafeBytes { Array($0) }
        case .rgbaFloat: return withUnsafeBytes(of: color.floats) { Array($0) }
        }
    }
}
