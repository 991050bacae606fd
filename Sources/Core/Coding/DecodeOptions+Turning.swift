extension DecodeOptions {
    /// Returns the stored orientation of a picture that has to be turned upright. Returns `.up` if nothing is turned:
    /// the picture is upright already, or the context keeps the stored orientation.
    func turning(of info: ImageInfo) -> Orientation {
        guard info.orientation != .up, !context[.keepsOrientation] else { return .up }
        return info.orientation
    }
}
