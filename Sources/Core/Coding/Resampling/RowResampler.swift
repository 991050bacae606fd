/// Turns the rows of a picture into the rows of a smaller or larger one, while they arrive.
///
/// Keeps as many source rows as the filter is high, never the picture. Used by one thread at a time.
protocol RowResampler: AnyObject {
    /// Takes the next source row, from the top; writes every target row that can be made now.
    func push(_ row: UnsafeRawPointer)
    /// Says that there are no more source rows; writes the rest.
    func finish()
}

/// What a resampler reads and where it writes.
struct ResamplingPlan {
    /// The rows that will be pushed.
    let source: PixelLayout
    /// The part of the source to be seen, in source pixels; usually all of it.
    let region: (x: Range<Double>, y: Range<Double>)
    /// The size to be made.
    let targetSize: PixelSize
    /// Where target rows go; the format is the source's. Must stay valid while the resampler lives.
    let target: UnsafeMutableRawPointer
    let targetBytesPerRow: Int

    /// The resampler for the format.
    func makeResampler() -> any RowResampler {
        switch source.format {
        case .rgba8: FixedPointResampler(self)
        case .rgba16, .rgbaFloat: FloatResampler(self)
        }
    }

    var horizontalWindows: ResamplingWindows {
        ResamplingWindows(sourceLength: source.size.width, region: region.x, targetLength: targetSize.width)
    }

    var verticalWindows: ResamplingWindows {
        ResamplingWindows(sourceLength: source.size.height, region: region.y, targetLength: targetSize.height)
    }
}
