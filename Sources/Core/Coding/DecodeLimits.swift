/// The largest picture that a request accepts.
struct DecodeLimits {
    private let maxPixels: Int
    private let maxSidePixels: Int

    init(_ context: ResolvedContext) {
        maxPixels = context[.maxPixels]
        maxSidePixels = context[.maxSidePixels]
    }

    /// Throws `limitExceeded` for a picture of a stored size that is larger, and `badData` for one without pixels.
    func check(_ size: PixelSize) throws(ImageError) {
        guard !size.isEmpty else {
            throw ImageError(.badData, stage: .decode, message: "the picture has no pixels: \(size)")
        }
        guard max(size.width, size.height) <= maxSidePixels else {
            throw ImageError(
                .limitExceeded, stage: .decode, message: "\(size) pixels; a side may have \(maxSidePixels)",
                advice: "raise the context value `maxSidePixels` if the source is trusted")
        }
        guard size.area <= maxPixels else {
            throw ImageError(
                .limitExceeded, stage: .decode, message: "\(size) are \(size.area) pixels; \(maxPixels) are allowed",
                advice: "raise the context value `maxPixels` if the source is trusted")
        }
    }
}
