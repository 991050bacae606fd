/// What an image is that is shown until the one asked for is there.
@nonexhaustive
public enum PreviewKind: Sendable, Hashable {
    /// The image itself as far as its bytes have arrived: coarser, or with parts missing, which are transparent.
    case partial
}
