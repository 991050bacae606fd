/// One frame of an animation as its file places it.
///
/// Each frame changes a region of the canvas, the picture that the frames before it have left. The terms are those of
/// APNG, GIF and WebP.
public struct FrameInfo: Sendable, Hashable {
    /// The time for which the frame is shown; 11 milliseconds or more.
    public let duration: Duration
    /// The part of the canvas that the frame covers, as stored.
    public var region: PixelRegion
    /// The way in which the frame's pixels are drawn on the canvas.
    public var blend: Blend
    /// The treatment of the frame's region before the next frame.
    public var disposal: Disposal

    /// Creates a frame.
    /// - Parameters:
    ///   - duration: The time for which the file says it is shown. Less than 11 milliseconds becomes 100, in all
    ///     formats: files with such durations were made for browsers, which play them in this way.
    ///   - region: The part of the canvas that the frame covers.
    ///   - blend: The way in which its pixels are drawn on the canvas.
    ///   - disposal: The treatment of its region before the next frame.
    public init(duration: Duration, region: PixelRegion, blend: Blend = .source, disposal: Disposal = .keep) {
        self.duration = duration < .milliseconds(11) ? .milliseconds(100) : duration
        self.region = region
        self.blend = blend
        self.disposal = disposal
    }

    /// The ways in which the pixels of a frame are drawn on the canvas.
    public enum Blend: String, Sendable, Hashable, Codable {
        /// The pixels replace those of the canvas, including alpha.
        case source
        /// The pixels are drawn over those of the canvas, by their alpha.
        case over
    }

    /// The treatments of a frame's region after it has been shown.
    public enum Disposal: String, Sendable, Hashable, Codable {
        /// The region stays.
        case keep
        /// The region becomes transparent.
        case background
        /// The region's previous contents are restored; without a previous frame, it becomes transparent.
        case previous
    }
}
