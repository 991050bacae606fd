extension PixelBuffer {
    /// Returns the picture, or a part of it, resampled to another size. Returns this buffer itself if there is nothing
    /// to do.
    ///
    /// Throws `transformFailed` if the size has no pixels or the region is not inside the picture. Throws
    /// `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    /// - Parameters:
    ///   - size: The size to make; both sides at least 1.
    ///   - region: The part to resample, in pixels from the top left. It may begin between two pixels. Default: nil,
    ///     the whole picture.
    ///   - resampling: The filter, and whether pixels are averaged in linear light. Default: Lanczos with three lobes,
    ///     averaging levels.
    ///   - job: The job, which is checked for each source row and for each row that is made.
    public func resampled(
        to size: PixelSize, region: (x: Range<Double>, y: Range<Double>)? = nil,
        resampling: Resampling = Resampling(), job: Job = Job()
    ) throws(ImageError) -> PixelBuffer {
        let whole = (x: 0..<Double(width), y: 0..<Double(height))
        let region = region ?? whole
        guard !size.isEmpty, region.x.isInside(whole.x), region.y.isInside(whole.y) else {
            throw ImageError(
                .transformFailed, stage: .transform,
                message: "cannot resample columns \(region.x) and rows \(region.y) of \(self.size) pixels to \(size)",
                advice: "pass a size of at least 1x1, and a region within the image")
        }
        return try resampled(
            ResampledRegion(of: self.size, columns: region.x, rows: region.y, resampledTo: size), resampling, job: job)
    }

    /// Returns a region of the picture, resampled. Returns this buffer itself if there is nothing to do. Throws
    /// `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    func resampled(
        _ region: ResampledRegion, _ resampling: Resampling, job: Job
    ) throws(ImageError) -> PixelBuffer {
        guard !region.isAll(of: size) else { return self }
        return try resampled(
            columns: region.columnWindows(filter: resampling.filter),
            rows: region.rowWindows(filter: resampling.filter), linear: resampling.isLinear, job: job)
    }

    /// Returns pixels that are weighted sums of these pixels: a column for each window of `columns`, and a row for each
    /// window of `rows`. Opaque pixels stay opaque, and gray ones gray.
    ///
    /// Throws `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    /// - Parameters:
    ///   - columns: The windows over the columns. No window begins before the one that precedes it.
    ///   - rows: The windows over the rows, in the same order.
    ///   - linear: Whether pixels are averaged in linear light.
    ///   - job: The job, which is checked for each source row and for each row that is made.
    package func resampled(
        columns: ResamplingWindows, rows: ResamplingWindows, linear: Bool = false, job: Job
    ) throws(ImageError) -> PixelBuffer {
        var targetLayout = layout
        targetLayout.size = PixelSize(width: columns.windows.count, height: rows.windows.count)
        var builder = try PixelBufferBuilder(uninitialized: targetLayout)
        builder.hasUncheckedClaims = hasUncheckedClaims
        let rowBytes = builder.bytesPerRow
        try builder.withUnsafeMutableBytes { (target: UnsafeMutableRawBufferPointer) throws(ImageError) -> Void in
            let plan = ResamplingPlan(
                source: layout, columns: columns, rows: rows, isLinear: linear, target: target.baseAddress!,
                targetBytesPerRow: rowBytes, job: job)
            let resampler = try plan.makeResampler()
            for y in 0..<height {
                try job.check()
                try resampler.push(UnsafeRawPointer(storage.base + y * bytesPerRow))
            }
            try resampler.finish()
        }
        return builder.finish()
    }
}

extension Range<Double> {
    /// Returns whether the range is not empty and lies within `whole`. Both checks tolerate rounding errors.
    fileprivate func isInside(_ whole: Range<Double>) -> Bool {
        upperBound - lowerBound > 1e-6 && lowerBound >= whole.lowerBound - 1e-6 && upperBound <= whole.upperBound + 1e-6
    }
}
