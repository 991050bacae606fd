/// The frames of an animation, made on demand.
///
/// A player asks for frames in any order, from any thread, several at once. Implementations are thread-safe. They may
/// block while they decode, so they are called on a lane and never under a lock.
public protocol FrameSource: Sendable {
    /// The number of frames; at least 1.
    var frameCount: Int { get }
    /// The number of times that the animation plays; 0 is forever.
    var loopCount: Int { get }
    /// The bytes of memory that the frames take or may come to take, without the pixels of the first frame, which the
    /// image has anyway.
    ///
    /// The value is the same at every call, because a cache charges an image for it.
    var byteCount: Int { get }
    /// Returns the time for which frame `index` is shown; more than zero.
    func duration(ofFrame index: Int) -> Duration
    /// Returns the whole picture at frame `index` (0 is the first), composed with the frames that it builds upon.
    ///
    /// All frames have one size and format. Throws `badData` if the frame cannot be decoded, `noSuchFrame` if it does
    /// not exist, and `cancelled` and `timedOut` as `job` says.
    func frame(_ index: Int, job: Job) throws -> PixelBuffer
}
