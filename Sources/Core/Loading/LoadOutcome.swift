/// How a load ended, when it did not fail.
@nonexhaustive
public enum LoadOutcome: Sendable {
    /// All bytes were written.
    case complete
    /// The copy that the request's validators stand for still holds; nothing was written.
    case notModified
    /// Pixels instead of bytes: for sources that have no file, such as a screen or a camera.
    case image(Image)
}
