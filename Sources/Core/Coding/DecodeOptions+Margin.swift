extension DecodeOptions {
    /// The minimum ratio of the sides of a smaller version of the picture to the wanted sides. Nil if only the full
    /// picture may be used.
    ///
    /// A smaller version is a picture that the file contains, or that is decoded from a part of the file.
    package var smallerPictureMargin: Int? {
        // `nearest` takes pixels unchanged, so it must not get averaged ones.
        guard resampling.filter != .nearest else { return nil }
        switch thumbnailQuality {
        case .exact: return nil
        // Smaller versions average levels, not light.
        case .balanced: return resampling.isLinear ? nil : 2
        case .fast: return 1
        }
    }
}
