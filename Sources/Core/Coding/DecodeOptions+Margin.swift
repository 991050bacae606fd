extension DecodeOptions {
    /// The factor by which a smaller picture must exceed the wanted size for the resampler to make good pixels of it;
    /// nil if none will do.
    ///
    /// Such a picture is one that a file contains, or that is decoded of a part of it.
    package var smallerPictureMargin: Int? {
        // What takes pixels as they are must not get mixed ones.
        guard resampling.filter != .nearest else { return nil }
        switch thumbnailQuality {
        case .exact: return nil
        // Smaller pictures are mixtures of levels, not of light.
        case .balanced: return resampling.isLinear ? nil : 2
        case .fast: return 1
        }
    }
}
