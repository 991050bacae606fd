/// The result of a load that did not fail.
@nonexhaustive
public enum LoadOutcome: Sendable {
    /// All bytes were written.
    case complete
    /// The copy that the request's validators identify is still valid; nothing was written. The loader may have called
    /// ``ByteSink/begin(_:)`` with new facts: validators and caching that are nil there are unchanged.
    case notModified
    /// Pixels instead of bytes, for sources that have no file, such as a screen or a camera.
    case image(Image)
}
