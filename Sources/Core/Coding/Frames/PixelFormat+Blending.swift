import CKernels

extension PixelFormat {
    /// Draws pixels over others, by their straight alpha, as Porter and Duff's "over" has it.
    ///
    /// Integers are rounded once and exactly. What cannot be seen leaves what is below as it is, its colour too; an
    /// integer pixel replaces what is below where nothing shows through, and where nothing can be seen below.
    /// - Parameters:
    ///   - row: The pixels to draw, of this format.
    ///   - target: The pixels below, which become the result.
    ///   - pixelCount: How many.
    func draw(_ row: UnsafeRawPointer, over target: UnsafeMutableRawPointer, pixelCount: Int) {
        switch self {
        case .rgba8:
            ck_over_rgba8(
                row.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self), pixelCount)
        case .rgba16:
            ck_over_rgba16(
                row.assumingMemoryBound(to: UInt16.self), target.assumingMemoryBound(to: UInt16.self), pixelCount)
        case .rgbaFloat:
            ck_over_rgba_float(
                row.assumingMemoryBound(to: Float.self), target.assumingMemoryBound(to: Float.self), pixelCount)
        }
    }
}
