extension PixelBufferBuilder {
    /// Sets pixels to a color. Throws `cancelled` or `timedOut` if the job ends.
    /// - Parameters:
    ///   - color: The color, with straight alpha. Alpha is limited to 0 to 1. In the integer formats, the other
    ///     channels are limited as well, and rounded; in floating point, they are limited to finite numbers. NaN
    ///     becomes 0.
    ///   - region: The pixels to set. Parts outside the picture are ignored. Default: nil, all pixels.
    ///   - job: The job, which is checked for each row.
    public mutating func fill(
        _ color: PixelColor, in region: PixelRegion? = nil, job: Job = Job()
    ) throws(ImageError) {
        let region = region ?? PixelRegion(size: layout.size)
        guard let place = region.intersection(with: layout.size) else { return }
        let pixel = layout.format.bytes(of: color)
        let bytes = (0..<place.size.width).flatMap { _ in pixel }
        for y in place.y..<place.y + place.size.height {
            try job.check()
            withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { row in
                    UnsafeMutableRawBufferPointer(rebasing: row[(place.x * pixel.count)...])
                        .copyBytes(from: bytes)
                }
            }
        }
    }

    /// Draws pixels over those of the builder. Parts outside the builder's picture are ignored. Pixels of another
    /// format are converted.
    ///
    /// With the mode `normal` and full opacity, integer results are exact: pixels of the same format are rounded once.
    /// The mode `copy` at full opacity leaves the drawn pixels unchanged. All other results are computed in 32-bit
    /// floating point. Throws `cancelled` or `timedOut` if the job ends, and `outOfMemory`.
    /// - Parameters:
    ///   - pixels: The pixels to draw.
    ///   - x: The column of the builder at which the first column of `pixels` is drawn; may be negative. Default: 0.
    ///   - y: The row of the builder at which the first row of `pixels` is drawn; may be negative. Default: 0.
    ///   - mode: The way in which the pixels are blended with those below. It applies only where `pixels` are drawn.
    ///     Default: `.normal`.
    ///   - opacity: A factor for the alpha of `pixels`, 0 to 1. Default: 1.
    ///   - job: The job, which is checked for each row.
    public mutating func draw(
        _ pixels: PixelBuffer, x: Int = 0, y: Int = 0, mode: BlendMode = .normal, opacity: Double = 1, job: Job = Job()
    ) throws(ImageError) {
        try draw(pixels, columns: [x], y: y, mode: mode, opacity: opacity, job: job)
    }

    /// Draws the same pixels several times side by side, as ``draw(_:x:y:mode:opacity:job:)`` does. For small tiles,
    /// this is several times faster than single calls.
    /// - Parameter columns: The columns of the builder at which the first column of `pixels` is drawn. The places must
    ///   not overlap.
    package mutating func draw(
        _ pixels: PixelBuffer, columns: [Int], y: Int, mode: BlendMode, opacity: Double, job: Job
    ) throws(ImageError) {
        let regions = columns.map { PixelRegion(x: $0, y: y, size: pixels.size) }
        let places = regions.compactMap { region in
            region.intersection(with: layout.size).map { (source: $0.x - region.x, x: $0.x, size: $0.size) }
        }
        guard let size = places.first?.size else { return }
        let format = layout.format
        let opacity = opacity.isNaN ? 0 : min(max(opacity, 0), 1)
        hasUncheckedClaims = hasUncheckedClaims || pixels.hasUncheckedClaims
        // The columns of the drawn picture that are visible anywhere.
        let start = places.reduce(pixels.width) { min($0, $1.source) }
        let count = places.reduce(start) { max($0, $1.source + $1.size.width) } - start
        let converted = try RowMemory<UInt8>(count: pixels.format == format ? 0 : count * format.bytesPerPixel)
        for target in max(y, 0)..<max(y, 0) + size.height {
            try job.check()
            pixels.withRow(target - y) { (source: RawSpan) -> Void in
                source.withUnsafeBytes { source in
                    var first = source.baseAddress! + start * pixels.format.bytesPerPixel
                    if pixels.format != format {
                        format.convert(first, from: pixels.format, to: converted.base, pixelCount: count)
                        first = UnsafeRawPointer(converted.base)
                    }
                    withRow(target) { (row: inout MutableRawSpan) -> Void in
                        row.withUnsafeMutableBytes { row in
                            for place in places {
                                format.blend(
                                    first + (place.source - start) * format.bytesPerPixel,
                                    over: row.baseAddress! + place.x * format.bytesPerPixel,
                                    pixelCount: place.size.width, mode: mode, opacity: opacity)
                            }
                        }
                    }
                }
            }
        }
    }
}
