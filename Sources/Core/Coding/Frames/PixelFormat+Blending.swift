import CKernels

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
