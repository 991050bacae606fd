/// The aspects of a request that a context value affects.
///
/// An identity is a text that is compared to find out whether requests can share work or results. A request has
/// separate identities for its transfer, for its variant (the finished image) and for its cache entries. The effects of
/// a value decide which of these identities contain the value.
public struct ContextEffects: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The value decides which bytes arrive, or whether they may be fetched: requests with different values never share
    /// a transfer.
    public static let transfer = ContextEffects(rawValue: 1 << 0)
    /// The value decides the pixels: requests with different values have separate variants.
    public static let pixels = ContextEffects(rawValue: 1 << 1)
    /// The value decides which cache entries may answer: requests with different values have separate entries for
    /// images and for originals.
    public static let stored = ContextEffects(rawValue: 1 << 2)

    /// The value decides only the size of the picture.
    static let size = ContextEffects(rawValue: 1 << 3)
    /// The value decides the shape of a reduced picture.
    static let shape = ContextEffects(rawValue: 1 << 4)
    /// The value decides how the pixels of a thumbnail are computed.
    static let resampling = ContextEffects(rawValue: 1 << 5)
    /// The value decides which frames of an animation are kept.
    static let frameSelection = ContextEffects(rawValue: 1 << 6)
    /// The value applies to the decode of a variant that is read from a cache. Examples are the coder and the limits.
    static let storedVariants = ContextEffects(rawValue: 1 << 7)
    /// The value decides how transformers are applied.
    static let transforming = ContextEffects(rawValue: 1 << 8)
    /// The value decides how much work may be saved while a reduced picture is decoded.
    static let quality = ContextEffects(rawValue: 1 << 9)
}
