extension Image {
    /// Returns the image with a check of its later frames, since the code that made them may have wrongly declared them
    /// opaque or gray (``PixelBuffer/isOpaque``, ``PixelBuffer/isGray``). A frame is checked each time that it is
    /// requested. The first frame is not checked again.
    ///
    /// A false declaration is dropped without a report, because those of the first frame have been reported already.
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
