/// The amount of work that a decoder may save where only a thumbnail is wanted.
public enum ThumbnailQuality: String, Sendable, Hashable, CaseIterable {
    /// The decoder decodes as little as covers the thumbnail: it takes the least time, and pixels are softer or
    /// rougher.
    case fast
    /// The decoder decodes as little as leaves pixels that can hardly be told from the exact ones. The default.
    case balanced
    /// All is decoded, and resampled as it is.
    case exact
}

extension ThumbnailQuality: ContextValue {
    public var contextText: String { rawValue }
    public static var contextSyntax: String { allCases.map(\.rawValue).joined(separator: ", ") }
    public init?(contextText: String) { self.init(rawValue: contextText) }
}
