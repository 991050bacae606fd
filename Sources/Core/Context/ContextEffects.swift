/// The effects of a context value, which decide the identities of a request that it is part of.
public struct ContextEffects: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value decides which bytes arrive, or whether they may be fetched at all: requests that differ never share a
    /// transfer.
    public static let transfer = ContextEffects(rawValue: 1 << 0)
    /// The value decides the pixels: requests that differ have variants of their own.
    public static let pixels = ContextEffects(rawValue: 1 << 1)
    /// The value decides which cache entries may answer: requests that differ have entries of their own, originals too.
    public static let stored = ContextEffects(rawValue: 1 << 2)

    /// The value decides the size of the picture, and nothing else about it.
    static let size = ContextEffects(rawValue: 1 << 3)
    /// The value decides the shape of a picture that is made smaller.
    static let shape = ContextEffects(rawValue: 1 << 4)
    /// The value decides how the pixels of a picture that is made smaller are computed.
    static let resampling = ContextEffects(rawValue: 1 << 5)
    /// The value decides which frames of an animation are kept.
    static let frameSelection = ContextEffects(rawValue: 1 << 6)
    /// The value holds for a variant that is read back from a cache: its coder, and the limits of decoding it.
    static let storedVariants = ContextEffects(rawValue: 1 << 7)
}
