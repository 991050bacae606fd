/// The frames of an animation, made when they are asked for.
///
/// A player asks for frames in any order, from any thread, several at once: implementations are thread-safe and may
/// block while they decode, so they are called on a lane and never under a lock.
public protocol FrameSource: Sendable {
    /// Number of frames; at least 1.
    var frameCount: Int { get }
    /// The number of times that the animation plays; 0 is forever.
    var loopCount: Int { get }
    /// Bytes of memory that it holds or may come to hold, the same at every call: a cache charges an image for them.
    ///
    /// Without those of the first frame's pixels, which the image has anyway.
    var byteCount: Int { get }
    /// Returns the time for which frame `index` is shown; more than zero.
    func duration(ofFrame index: Int) -> Duration
    /// The whole picture at frame `index` (0 is the first), composed with what it builds upon.
    ///
    /// All frames are of one size and format. Throws `badData` where the frame cannot be decoded, `noSuchFrame` where
    /// there is none, and `cancelled` and `timedOut` as `job` says.
    func frame(_ index: Int, job: Job) throws -> PixelBuffer
}
