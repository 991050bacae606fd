/// The source and target of a resampler.
struct ResamplingPlan {
    /// The rows that will be pushed.
    let source: PixelLayout
    /// The part of the source to be seen, in source pixels; usually all of it.
    let region: (x: Range<Double>, y: Range<Double>)
    /// The size to be made.
    let targetSize: PixelSize
    let resampling: Resampling
    /// The memory for target rows; the format is the source's. Must stay valid while the resampler lives.
    let target: UnsafeMutableRawPointer
    let targetBytesPerRow: Int
    /// Asked once for each row that is made.
    let job: Job

    /// The resampler for the format and the filter.
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
    /// Whether a line of `length` pixels made of this part is the part itself: as many pixels, and whole ones.
    func isCut(of length: Int) -> Bool {
        lowerBound == lowerBound.rounded() && upperBound - lowerBound == Double(length)
    }
}
