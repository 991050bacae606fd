/// The largest picture that a request accepts.
struct DecodeLimits {
    private let maxPixels: Int
    private let maxSidePixels: Int

    private let maxProfileBytes: Int

    init(_ context: ResolvedContext) {
        maxProfileBytes = context[.maxProfileBytes]
        maxPixels = context[.maxPixels]
        maxSidePixels = context[.maxSidePixels]
    }

    /// Throws `limitExceeded` for a file that says it is larger than allowed, or has a longer profile.
    func check(_ info: ImageInfo) throws(ImageError) {
        try check(info.pixelSize)
        guard case .icc(let profile) = info.profile, profile.count > maxProfileBytes else { return }
        throw ImageError(
            .limitExceeded, stage: .decode,
            message: "a colour profile of \(profile.count) bytes; \(maxProfileBytes) are allowed",
            advice: "raise the context value `maxProfileBytes` if the source is trusted")
    }

    /// Throws `limitExceeded` for a picture of a stored size that is larger, and `badData` for one without pixels.
    func check(_ size: PixelSize, stage: ImageError.Stage = .decode) throws(ImageError) {
        guard !size.isEmpty else {
            throw ImageError(.badData, stage: stage, message: "the picture has no pixels: \(size)")
        }
        guard max(size.width, size.height) <= maxSidePixels else {
            throw ImageError(
                .limitExceeded, stage: stage, message: "\(size) pixels; a side may have \(maxSidePixels)",
                advice: "raise the context value `maxSidePixels` if the source is trusted")
        }
        guard size.area <= maxPixels else {
            throw ImageError(
                .limitExceeded, stage: stage, message: "\(size) are \(size.area) pixels; \(maxPixels) are allowed",
                advice: "raise the context value `maxPixels` if the source is trusted")
        }
    }
}
