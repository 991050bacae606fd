/// The frames of an animation, decoded on demand.
///
/// A player requests frames in any order and from several threads at once, so implementations must be thread-safe.
/// ``frame(_:job:)`` may block while it decodes: it is called on a thread of a ``Lane``, where blocking is allowed, or
/// on the thread of a caller that accepts blocking. It is never called under a lock.
public protocol FrameSource: Sendable {
    /// The number of frames; at least 1.
    var frameCount: Int { get }
    /// The number of times that the animation plays; 0 is forever.
    var loopCount: Int { get }
    /// The maximum memory that the frames can take, in bytes. The pixels of the first frame do not count, because they
    /// are part of the image.
    ///
    /// The value must never change, because an image reads it once.
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
