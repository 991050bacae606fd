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
    /// Returns whether this kind of preview may replace the last one. Only a partial image may replace a partial one.
    /// - Parameter shown: The kind of the preview that was shown last; nil if none was shown.
    func mayReplace(_ shown: PreviewKind?) -> Bool { self == .partial || shown != .partial }
}
