/// The amount of work that may be saved if only a smaller picture is wanted: a thumbnail, or the result of a `resize`
/// that is done while the picture is decoded.
public enum ThumbnailQuality: String, Sendable, Hashable, CaseIterable {
    /// The decoder decodes the smallest version of the picture that is at least as large as the result. This takes the
    /// least time, but the result is softer or rougher.
    case fast
    /// The decoder saves work as long as the pixels can hardly be told from the exact ones. Colors are converted after
    /// the picture has been made smaller. The default.
    case balanced
    /// The decoder decodes everything, and the full picture is converted and resampled.
    case exact
}

extension ThumbnailQuality: ContextValue {}
