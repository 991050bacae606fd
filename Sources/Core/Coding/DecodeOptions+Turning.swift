extension DecodeOptions {
    /// How a picture is to be turned: not at all where it is upright, or stays as it is stored.
    func turning(of info: ImageInfo) -> Orientation {
        guard info.orientation != .up, !context[.keepsOrientation] else { return .up }
        return info.orientation
    }
}
