/// The frames of an animation, all kept in memory. The animation was either made in code or decoded completely.
public struct FrameList: FrameSource {
    let frames: [(pixels: PixelBuffer, duration: Duration)]
    public let loopCount: Int
    public let byteCount: Int

    /// Creates an animation from frames, which are shown in this order. All frames must have the same size and format.
    /// - Parameters:
    ///   - frames: The complete picture of each frame, and the time for which it is shown; at least one frame. A time
    ///     below 11 milliseconds becomes 100 milliseconds, as in ``FrameInfo``.
    ///   - loopCount: The number of times that the animation plays; 0 or less means forever. Default: 0.
    public init(_ frames: [(pixels: PixelBuffer, duration: Duration)], loopCount: Int = 0) {
        precondition(!frames.isEmpty, "an animation needs at least one frame")
        self.frames = frames.map { frame in
            let info = FrameInfo(duration: frame.duration, region: PixelRegion(size: frame.pixels.size))
            return (frame.pixels, info.duration)
        }
        self.loopCount = max(0, loopCount)
        byteCount = frames.dropFirst().reduce(0) { $0 + $1.pixels.byteCount }
    }

    /// Whether ``PixelBuffer/hasUncheckedClaims`` is true for any frame.
    var hasUncheckedClaims: Bool { frames.contains { $0.pixels.hasUncheckedClaims } }

    public var frameCount: Int { frames.count }

    public func duration(ofFrame index: Int) -> Duration { frames[index].duration }

    public func frame(_ index: Int, job: Job) throws -> PixelBuffer {
        guard frames.indices.contains(index) else { throw ImageError.noSuchFrame(index, of: frames.count) }
        return frames[index].pixels
    }
}
