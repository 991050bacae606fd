extension DecodeOptions {
    /// Returns the orientation from which a picture has to be turned upright; `.up` if nothing is turned.
    func turning(of info: ImageInfo) -> Orientation {
        guard info.orientation != .up, !context[.keepsOrientation] else { return .up }
        return info.orientation
    }
}
