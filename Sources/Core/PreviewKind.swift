/// The kind of an image that is shown until the requested one is available.
@nonexhaustive
public enum PreviewKind: Sendable, Hashable {
    /// A placeholder of the request (``ContextKey/placeholders``).
    case placeholder(Placeholder.Kind)
    /// The requested image, decoded from the bytes that have arrived so far. It is coarser than the complete image, or
    /// transparent where parts are still missing.
    case partial
}

extension PreviewKind {
    /// Returns whether a preview of this kind may replace the preview that was shown last.
    ///
    /// A partial image may replace any preview. A placeholder may replace any preview except a partial image. The
    /// component that shows placeholders decides on the order among them.
    /// - Parameter shown: The kind of the preview that was shown last; nil if none was shown.
    func mayReplace(_ shown: PreviewKind?) -> Bool { self == .partial || shown != .partial }
}
