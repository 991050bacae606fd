/// The result of a successful load.
@nonexhaustive
public enum LoadOutcome: Sendable {
    /// All bytes were written.
    case complete
    /// The copy that the request's validators identify is still valid, and nothing was written. The loader may have
    /// called ``ByteSink/begin(_:)`` with new facts. If that head has no validators or no caching record, those of the
    /// copy stay.
    case notModified
    /// An image instead of bytes, for sources without a file, such as a screen or a camera.
    case image(Image)
}
