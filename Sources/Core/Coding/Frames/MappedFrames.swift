/// The frames of an animation, each changed by a closure when it is requested.
struct MappedFrames: FrameSource {
    let byteCount: Int
    /// Whether the `isOpaque` and `isGray` values of the changed frames have been checked against the pixels.
    let areClaimsChecked: Bool

    private let source: any FrameSource
    private let first: PixelBuffer
    private let change: @Sendable (PixelBuffer, Job) throws -> PixelBuffer

    /// Creates the changed frames of an animation.
    /// - Parameters:
    ///   - pixels: The original first frame.
    ///   - first: The changed first frame.
    ///   - areClaimsChecked: Whether `change` checks the `isOpaque` and `isGray` values of the pixels that it returns.
    ///   - change: Changes a later frame in the same way as the first. Blocks; called by several threads at once.
    init(
        _ source: any FrameSource, from pixels: PixelBuffer, to first: PixelBuffer, areClaimsChecked: Bool = false,
        change: @escaping @Sendable (PixelBuffer, Job) throws -> PixelBuffer
    ) {
        self.source = source
        self.first = first
        self.change = change
        self.areClaimsChecked = areClaimsChecked
        // The source keeps the original first frame.
        let former = pixels.storage === first.storage ? 0 : pixels.byteCount
        let (sum, overflow) = source.byteCount.addingReportingOverflow(former)
        byteCount = overflow ? .max : sum
    }

    var frameCount: Int { source.frameCount }
    var loopCount: Int { source.loopCount }

    func duration(ofFrame index: Int) -> Duration { source.duration(ofFrame: index) }

    func frame(_ index: Int, job: Job) throws -> PixelBuffer {
        guard index != 0 else { return first }
        let changed = try change(source.frame(index, job: job), job)
        guard changed.size == first.size, changed.format == first.format else {
            throw ImageError(
                .transformFailed, stage: .transform,
                message: "frame \(index) became \(changed.size) in \(changed.format.rawValue), "
                    + "but frame 0 became \(first.size) in \(first.format.rawValue)",
                advice: "make the transformer return the same size and pixel format for all frames")
        }
        return changed
    }
}
