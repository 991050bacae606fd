/// The frames of an animation, decoded on demand.
///
/// A player requests frames in any order and from several threads at once, so implementations must be thread-safe. They
/// may block while they decode: they are called on a ``Lane``, and never under a lock.
public protocol FrameSource: Sendable {
    /// The number of frames; at least 1.
    var frameCount: Int { get }
    /// The number of times that the animation plays; 0 is forever.
    var loopCount: Int { get }
    /// The maximum memory that the frames can take, in bytes, without the pixels of the first frame, which are part of
    /// the image.
    ///
    /// The value must never change, because a cache counts it for the image.
    var byteCount: Int { get }
    /// Returns the time for which frame `index` is shown; more than zero.
    func duration(ofFrame index: Int) -> Duration
    /// Returns the complete picture of frame `index` (0 is the first), composed with the earlier frames that it is
    /// drawn upon.
    ///
    /// All frames have the same size and format. Throws `badData` if the frame cannot be decoded, `noSuchFrame` if it
    /// does not exist, and `cancelled` or `timedOut` if the job has ended.
    func frame(_ index: Int, job: Job) throws -> PixelBuffer
}
