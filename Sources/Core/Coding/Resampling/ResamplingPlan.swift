/// The source and target of a resampler.
struct ResamplingPlan {
    /// The layout of the rows that will be pushed.
    let source: PixelLayout
    /// The part of the source that is resampled, in source pixels; usually all of it.
    let region: (x: Range<Double>, y: Range<Double>)
    /// The size to make.
    let targetSize: PixelSize
    let resampling: Resampling
    /// The memory for target rows, in the format of the source. It must stay valid while the resampler exists.
    let target: UnsafeMutableRawPointer
    let targetBytesPerRow: Int
    /// The job, which is checked once for each row that is made.
    let job: Job

    /// Returns the resampler for the format and the filter.
    func makeResampler() throws(ImageError) -> any RowResampler {
        let isCut = region.x.isCut(of: targetSize.width) && region.y.isCut(of: targetSize.height)
        if isCut || resampling.filter == .nearest { return NearestResampler(self) }
        return switch source.format {
        case .rgba8: try FixedPointResampler(self)
        case .rgba16, .rgbaFloat: try FloatResampler(self)
        }
    }

    var horizontalWindows: ResamplingWindows {
        ResamplingWindows(
            sourceLength: source.size.width, region: region.x, targetLength: targetSize.width,
            filter: resampling.filter)
    }

    var verticalWindows: ResamplingWindows {
        ResamplingWindows(
            sourceLength: source.size.height, region: region.y, targetLength: targetSize.height,
            filter: resampling.filter)
    }
}

extension Range<Double> {
    /// Returns whether resampling this part of a line to `length` pixels only copies pixels.
    func isCut(of length: Int) -> Bool {
        lowerBound == lowerBound.rounded() && upperBound - lowerBound == Double(length)
    }
}
