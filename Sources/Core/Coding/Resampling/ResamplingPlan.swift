/// The source and target of a resampler.
struct ResamplingPlan {
    /// The layout of the rows that will be pushed.
    let source: PixelLayout
    /// The source pixels that contribute to each column of the target.
    let columns: ResamplingWindows
    /// The source rows that contribute to each row of the target.
    let rows: ResamplingWindows
    /// Whether pixels are averaged in linear light.
    let isLinear: Bool
    /// The memory for target rows, in the format of the source. It must stay valid while the resampler exists.
    let target: UnsafeMutableRawPointer
    let targetBytesPerRow: Int
    /// The job, which is checked once for each row that is made.
    let job: Job

    /// The size to make.
    var targetSize: PixelSize { PixelSize(width: columns.windows.count, height: rows.windows.count) }

    /// Returns the resampler for the format and the windows.
    func makeResampler() throws(ImageError) -> any RowResampler {
        if columns.areCopies && rows.areCopies { return NearestResampler(self) }
        return switch source.format {
        case .rgba8: try FixedPointResampler(self)
        case .rgba16, .rgbaFloat: try FloatResampler(self)
        }
    }
}
