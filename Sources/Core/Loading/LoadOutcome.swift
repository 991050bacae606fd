/// The result of a load that did not fail.
@nonexhaustive
public enum LoadOutcome: Sendable {
    /// All bytes were written.
    case complete
    /// The copy that the request's validators stand for still holds; nothing was written. A loader that was told more
    /// than that may have called ``ByteSink/begin(_:)`` with it: validators and caching that are nil there are as they
    /// were.
    case notModified
    /// Pixels instead of bytes: for sources that have no file, such as a screen or a camera.
    case image(Image)
}
