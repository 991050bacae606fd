/// The kind of an image that is shown until the requested one is available.
@nonexhaustive
public enum PreviewKind: Sendable, Hashable {
    /// A placeholder of the request (``ContextKey/placeholders``).
    case placeholder(Placeholder.Kind)
    /// The image itself as far as its bytes have arrived: coarser, or with missing parts, which are transparent.
    case partial
}

extension PreviewKind {
    /// Returns whether a preview of this kind may replace the preview shown last, nil for none: a part of the image
    /// itself is better than any placeholder. The component that shows placeholders decides their order.
    func mayReplace(_ shown: PreviewKind?) -> Bool { self == .partial || shown != .partial }
}
