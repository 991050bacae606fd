/// The properties of a frame of an animation: its duration, and how it is drawn.
///
/// Each frame changes a region of the canvas, which is the picture that the earlier frames have drawn. The terms are
/// those of APNG, GIF and WebP.
public struct FrameInfo: Sendable, Hashable {
    /// The time for which the frame is shown, at least 11 milliseconds.
    public let duration: Duration
    /// The part of the canvas that the frame covers, before the picture is turned upright.
    public var region: PixelRegion
    /// The drawing mode for the frame's pixels on the canvas.
    public var blend: Blend
    /// The treatment of the frame's region before the next frame is drawn.
    public var disposal: Disposal

    /// Creates the properties of a frame.
    /// - Parameters:
    ///   - duration: The time for which the frame is shown, as stored in the file. A time below 11 milliseconds becomes
    ///     100 milliseconds in all formats, because browsers play such files in this way.
    ///   - region: The part of the canvas that the frame covers.
    ///   - blend: The drawing mode for the frame's pixels on the canvas.
    ///   - disposal: The treatment of the frame's region before the next frame is drawn.
    public init(duration: Duration, region: PixelRegion, blend: Blend = .source, disposal: Disposal = .keep) {
        self.duration = duration < .milliseconds(11) ? .milliseconds(100) : duration
        self.region = region
        self.blend = blend
        self.disposal = disposal
    }

    /// The drawing modes for a frame's pixels on the canvas.
    public enum Blend: String, Sendable, Hashable, Codable {
        /// The pixels replace those of the canvas, including alpha.
        case source
        /// The pixels are blended over those of the canvas according to their alpha.
        case over
    }

    /// The treatments of a frame's region after it has been shown.
    public enum Disposal: String, Sendable, Hashable, Codable {
        /// The region is not changed.
        case keep
        /// The region becomes transparent.
        case background
        /// The region gets back the contents that it had before the frame was drawn. For the first frame, it becomes
        /// transparent.
        case previous
    }
}
