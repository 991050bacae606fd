extension PixelBuffer {
    /// The pixels, or a part of them, at another size: Lanczos with three lobes on premultiplied values.
    ///
    /// - Parameters:
    ///   - size: The size to make; both sides at least 1.
    ///   - region: The part to be seen, in pixels from the top left, which may begin between two pixels; nil for all.
    ///   - job: Asked once for each row.
    /// - Returns: The same buffer when there is nothing to do.
    /// Throws `outOfMemory`, or `cancelled` and `timedOut` as `job` says.
    public func resampled(
        to size: PixelSize, region: (x: Range<Double>, y: Range<Double>)? = nil, job: Job = Job()
    ) throws(ImageError) -> PixelBuffer {
        let whole = (x: 0..<Double(width), y: 0..<Double(height))
        let region = region ?? whole
        guard size != self.size || region != whole else { return self }
        var targetLayout = layout
        targetLayout.size = size
        var builder = try PixelBufferBuilder(uninitialized: targetLayout)
        let rowBytes = builder.bytesPerRow
        let target = builder.withUnsafeMutableBytes { $0.baseAddress! }
        let plan = ResamplingPlan(
            source: layout, region: region, targetSize: size, target: target, targetBytesPerRow: rowBytes)
        let resampler = plan.makeResampler()
        for y in 0..<height {
            try job.check()
            resampler.push(UnsafeRawPointer(storage.base + y * bytesPerRow))
        }
        resampler.finish()
        return builder.finish()
    }
}
