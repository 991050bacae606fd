extension ContextKey where Value == ResamplingFilter {
    /// The filter that thumbnails are made with. Default: `.lanczos3`.
    public static let resamplingFilter = ContextKey(
        "resamplingFilter", default: .lanczos3, affects: [.pixels, .resampling],
        summary: "The filter that computes the pixels of a thumbnail.")
}

extension ContextKey where Value == Bool {
    /// Whether thumbnails are computed in linear light. Default: false; the encoded levels are averaged.
    public static let linearLight = ContextKey(
        "linearLight", affects: [.pixels, .resampling],
        summary: "Average light instead of levels for a thumbnail: slower, and as bright as the picture.")
}

extension ContextKey where Value == ThumbnailQuality {
    /// The amount of work that decoders may skip for a thumbnail, or for transformers that make a smaller picture.
    /// Default: `.balanced`.
    public static let thumbnailQuality = ContextKey(
        "thumbnailQuality", default: .balanced, affects: [.pixels, .quality],
        summary: "The amount of work that decoders may skip for a smaller picture.")
}

extension ContextSetting {
    /// Sets the filter that thumbnails are made with. Default: `.lanczos3`.
    public static func resamplingFilter(_ filter: ResamplingFilter) -> ContextSetting {
        .set(.resamplingFilter, to: filter)
    }
    /// Computes thumbnails in linear light instead of averaging the encoded levels. Default: off.
    ///
    /// This is slower, but makes a thumbnail as bright as the picture.
    public static var linearLight: ContextSetting { .on(.linearLight) }
    /// Sets the amount of work that decoders may save if only a smaller picture is wanted: a thumbnail, or the result
    /// of a `resize` at the beginning of the transformers. Default: `.balanced`.
    public static func thumbnailQuality(_ quality: ThumbnailQuality) -> ContextSetting {
        .set(.thumbnailQuality, to: quality)
    }
}

extension ContextDeclaration {
    /// The declarations of the context keys for resampling.
    static let resampling: [ContextDeclaration] = [
        ContextKey.resamplingFilter.declaration, ContextKey.linearLight.declaration,
        ContextKey.thumbnailQuality.declaration,
    ]
}
