/// The kind of an image that is shown until the requested one is there.
@nonexhaustive
public enum PreviewKind: Sendable, Hashable {
    /// The placeholder that the request named (``ContextKey/placeholders``).
    case placeholder(Placeholder.Kind)
    /// The image itself as far as its bytes have arrived: coarser, or with parts missing, which are transparent.
    case partial
}

extension PreviewKind {
    /// Whether it may be shown over what was shown last, nil for nothing: part of the image itself is better than
    /// whatever stands for it. The order of placeholders is that of the view that shows them.
    func mayReplace(_ shown: PreviewKind?) -> Bool { self == .partial || shown != .partial }
}
