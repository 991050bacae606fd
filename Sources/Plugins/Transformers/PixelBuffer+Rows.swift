import Calotype

extension PixelBuffer {
    /// Returns pixels that are computed row by row from these pixels. Throws `outOfMemory`, and `cancelled` or
    /// `timedOut` if the job ends.
    /// - Parameters:
    ///   - layout: The layout of the result, of the same size. It may claim to be opaque or gray only if this follows
    ///     from the claims of these pixels.
    ///   - job: The job, which is checked for each row.
    ///   - body: Writes all pixels of row `y` to `target`.
    func mappingRows(
        to layout: PixelLayout, job: Job,
        _ body: (_ y: Int, _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer) -> Void
    ) throws(ImageError) -> PixelBuffer {
        var builder = try PixelBufferBuilder(mapping: self, to: layout)
        for y in 0..<height {
            try job.check()
            withRow(y) { (source: RawSpan) -> Void in
                source.withUnsafeBytes { source in
                    builder.withRow(y) { (target: inout MutableRawSpan) -> Void in
                        target.withUnsafeMutableBytes { target in body(y, source, target) }
                    }
                }
            }
        }
        return builder.finish()
    }

    /// Reads row `y` as floats: red, green, blue and straight alpha. `row` has room for all pixels of the row.
    func readFloats(ofRow y: Int, into row: RowMemory<SIMD4<Float>>) {
        withRow(y) { source in
            source.withUnsafeBytes { source in
                PixelFormat.rgbaFloat.convert(source.baseAddress!, from: format, to: row.base, pixelCount: width)
            }
        }
    }
}
