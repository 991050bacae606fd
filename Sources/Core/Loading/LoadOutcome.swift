/// The result of a successful load.
@nonexhaustive
public enum LoadOutcome: Sendable {
    /// All bytes were written.
    case complete
    /// The copy that the request's validators identify is still valid, and nothing was written.
    ///
    /// The loader may have called ``ByteSink/begin(_:)`` with a head. The modification date and the caching record of
    /// the head then update those of the copy. The entity tag of the head is used only if the copy has no entity tag.
    case notModified
    /// An image instead of bytes, for sources without a file, such as a screen or a camera.
    case image(Image)
}
