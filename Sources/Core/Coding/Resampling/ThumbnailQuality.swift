/// The amount of work that a decoder may save if only a thumbnail is wanted.
public enum ThumbnailQuality: String, Sendable, Hashable, CaseIterable {
    /// The decoder decodes the smallest version of the picture that is at least as large as the thumbnail. This takes
    /// the least time, but the thumbnail is softer or rougher.
    case fast
    /// The decoder saves work as long as the pixels can hardly be told from the exact ones. The default.
    case balanced
    /// The decoder decodes everything, and the full picture is resampled.
    case exact
}

extension ThumbnailQuality: ContextValue {}
