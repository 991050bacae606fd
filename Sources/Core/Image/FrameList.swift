/// Frames that are in memory: of an animation made in code, or of one that was decoded completely.
public struct FrameList: FrameSource {
    let frames: [(pixels: PixelBuffer, duration: Duration)]
    public let loopCount: Int
    public let byteCount: Int

    /// Creates an animation of these frames, which have one size and format, in this order.
    /// - Parameters:
    ///   - frames: The whole picture at each frame, and the time for which it is shown; at least one frame. Less than
    ///     11 milliseconds becomes 100, as everywhere (``FrameInfo``).
    ///   - loopCount: The number of times that the animation plays; 0, the default, is forever. Less than 0 counts as
    ///     0.
    public init(_ frames: [(pixels: PixelBuffer, duration: Duration)], loopCount: Int = 0) {
        precondition(!frames.isEmpty, "an animation needs at least one frame")
        self.frames = frames.map { frame in
            let info = FrameInfo(duration: frame.duration, region: PixelRegion(size: frame.pixels.size))
            return (frame.pixels, info.duration)
        }
        self.loopCount = max(0, loopCount)
        byteCount = frames.dropFirst().reduce(0) { $0 + $1.pixels.byteCount }
    }

    /// Whether a frame has unchecked claims.
    var hasUncheckedClaims: Bool { frames.contains { $0.pixels.hasUncheckedClaims } }

    public var frameCount: Int { frames.count }

    public func duration(ofFrame index: Int) -> Duration { frames[index].duration }

    public func frame(_ index: Int, job: Job) throws -> PixelBuffer {
        guard frames.indices.contains(index) else { throw ImageError.noSuchFrame(index, of: frames.count) }
        return frames[index].pixels
    }
}
