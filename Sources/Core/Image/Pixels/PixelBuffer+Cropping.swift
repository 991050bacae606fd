extension PixelBuffer {
    /// Returns the pixels of a region. Returns the same buffer if the region is the whole picture.
    ///
    /// The region must lie within the picture; see ``PixelRegion/intersection(with:)``. Throws `outOfMemory`, and
    /// `cancelled` or `timedOut` if the job ends.
    /// - Parameter job: The job, which is checked for each row.
    public func cropped(to region: PixelRegion, job: Job = Job()) throws(ImageError) -> PixelBuffer {
        precondition(region.isInside(size), "the region \(region) is not within a picture of \(size) pixels")
        guard region.size != size else { return self }
        var part = layout
        part.size = region.size
        var builder = try PixelBufferBuilder(uninitialized: part)
        builder.hasUncheckedClaims = hasUncheckedClaims
        let start = region.x * format.bytesPerPixel
        for y in 0..<region.size.height {
            try job.check()
            builder.withRow(y) { (target: inout MutableRawSpan) -> Void in
                target.withUnsafeMutableBytes { target in
                    let row = storage.base + (region.y + y) * bytesPerRow + start
                    target.copyMemory(from: UnsafeRawBufferPointer(start: row, count: target.count))
                }
            }
        }
        return builder.finish()
    }
}
