extension DecodeOptions {
    /// Returns the orientation from which a picture is turned upright; `.up` if it is upright or stays as it is stored.
    func turning(of info: ImageInfo) -> Orientation {
        guard info.orientation != .up, !context[.keepsOrientation] else { return .up }
        return info.orientation
    }
}
