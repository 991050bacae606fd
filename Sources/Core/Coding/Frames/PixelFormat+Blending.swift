import CKernels

extension PixelFormat {
    /// Draws `row` over `target` by straight alpha, with the operator "over" of Porter and Duff. Both have this format.
    ///
    /// Integer results are computed exactly and rounded once. A fully transparent pixel leaves the pixel below
    /// unchanged, including its color.
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
