/// What a context value changes, and so which identities of a request it is part of.
public struct ContextEffects: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Which bytes arrive, or whether they may be fetched at all: requests that differ never share a transfer.
    public static let transfer = ContextEffects(rawValue: 1 << 0)
    /// Which pixels come out: requests that differ have variants of their own.
    public static let pixels = ContextEffects(rawValue: 1 << 1)
    /// Which bytes may be answered from a cache: requests that differ have cache entries of their own, originals too.
    public static let stored = ContextEffects(rawValue: 1 << 2)
}
