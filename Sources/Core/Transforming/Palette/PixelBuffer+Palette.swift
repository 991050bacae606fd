extension PixelBuffer {
    /// The largest side of the picture from which colors are taken. Larger pictures are reduced first.
    private static let paletteSide = 128

    /// Returns the main colors of the picture, from the most to the least frequent.
    ///
    /// Pixels that are less than half opaque do not count. A picture of at most 128 pixels on a side with at most
    /// `count` colors has exactly these. Larger pictures are reduced to this size first, so that details of few pixels
    /// have no color of their own. The result is empty if no pixel counts. Colors are those of the pixels, with 8 bits,
    /// whatever the picture's profile.
    ///
    /// Throws `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    /// - Parameters:
    ///   - count: The maximum number of colors, 1 to 256. Other numbers are brought into this range. Default: 5.
    ///   - job: The job, which is checked for each row.
    public func palette(count: Int = 5, job: Job = Job()) throws(ImageError) -> [PaletteColor] {
        let reduced = try reducedForColors(job: job).converted(to: .rgba8, job: job)
        var histogram = ColorHistogram()
        var rows: [[UInt32]] = []
        for y in 0..<reduced.height {
            try job.check()
            let row = reduced.countedColors(ofRow: y)
            histogram.add(row)
            rows.append(row)
        }
        let palette = ColorPalette(histogram, count: min(max(count, 1), 256))
        let search = ColorSearch(palette.colors)
        var counts = [Int](repeating: 0, count: palette.colors.count)
        for row in rows {
            try job.check()
            for color in row where color != ColorHistogram.ignored {
                let channels = SIMD3<UInt32>(color, color >> 8, color >> 16) & 0xFF
                counts[search.nearest(SIMD3<Int32>(truncatingIfNeeded: channels))] += 1
            }
        }
        let whole = Double(max(1, counts.reduce(0, +)))
        let colors = zip(palette.colors, counts).filter { $0.1 > 0 }.map { color, count in
            let channels = SIMD3<Double>(color) / 255
            return PaletteColor(
                color: PixelColor(red: channels.x, green: channels.y, blue: channels.z), share: Double(count) / whole)
        }
        return colors.sorted { $0.share > $1.share }
    }

    /// Returns the average color of the picture, with its average alpha. Colors are weighted by alpha.
    ///
    /// Throws `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    /// - Parameter job: The job, which is checked for each row.
    public func averageColor(job: Job = Job()) throws(ImageError) -> PixelColor {
        // The average of so many pixels would be less exact with weights of 16 bits.
        let deep = try reducedForColors(job: job).converted(to: format == .rgba8 ? .rgba16 : format, job: job)
        return try deep.resampled(to: PixelSize(1, 1), resampling: Resampling(filter: .box), job: job).color(x: 0, y: 0)
    }

    private func reducedForColors(job: Job) throws(ImageError) -> PixelBuffer {
        let size = self.size.fitting(PixelSize(Self.paletteSide, Self.paletteSide))
        return try resampled(to: size, resampling: Resampling(filter: .box), job: job)
    }

    /// Returns the colors of a row, with red in the lowest byte. Transparent pixels are ``ColorHistogram/ignored``.
    private func countedColors(ofRow y: Int) -> [UInt32] {
        withRow(y) { (row: RawSpan) -> [UInt32] in
            row.withUnsafeBytes { row in
                stride(from: 0, to: row.count, by: 4).map { place in
                    guard row[place + 3] > 127 else { return ColorHistogram.ignored }
                    return UInt32(row[place]) | UInt32(row[place + 1]) << 8 | UInt32(row[place + 2]) << 16
                }
            }
        }
    }
}

extension Image {
    /// Returns the main colors of the image; those of the first frame of an animation. See
    /// ``PixelBuffer/palette(count:job:)``.
    public func palette(count: Int = 5, job: Job = Job()) throws(ImageError) -> [PaletteColor] {
        try pixels.palette(count: count, job: job)
    }

    /// Returns the average color of the image; that of the first frame of an animation. See
    /// ``PixelBuffer/averageColor(job:)``.
    public func averageColor(job: Job = Job()) throws(ImageError) -> PixelColor {
        try pixels.averageColor(job: job)
    }
}
