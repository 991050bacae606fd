extension Image {
    /// Returns an image whose frames after the first are checked when they are requested. Code outside the library may
    /// have wrongly declared them opaque or gray. Wrong declarations are dropped without a report, because those of the
    /// first frame have been reported already.
    func checkingClaimsOfFrames() -> Image {
        guard let frames, frames.mayHaveUncheckedClaims else { return self }
        return replacing(
            pixels: pixels,
            frames: MappedFrames(frames, from: pixels, to: pixels, areClaimsChecked: true) {
                try $0.checkingClaims(job: $1)
            })
    }
}

extension FrameSource {
    fileprivate var mayHaveUncheckedClaims: Bool {
        switch self {
        case let frames as DecodedFrames: frames.hasUncheckedClaims
        case let frames as FrameList: frames.hasUncheckedClaims
        case let frames as MappedFrames: !frames.areClaimsChecked
        case let frames as SelectedFrames: frames.source.mayHaveUncheckedClaims
        default: true
        }
    }
}
