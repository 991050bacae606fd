/// The largest picture that a request accepts.
struct DecodeLimits {
    private let maxPixels: Int
    private let maxSidePixels: Int
    private let maxFrames: Int
    /// Of all frames together; nil where a single one is decoded.
    private let maxTotalPixels: Int?
    private let maxProfileBytes: Int
    private let maxMetadataBytes: Int

    init(_ context: ResolvedContext) {
        maxPixels = context[.maxPixels]
        maxSidePixels = context[.maxSidePixels]
        maxFrames = context[.maxFrames]
        maxTotalPixels = context[.frame] == nil ? context[.maxTotalPixels] : nil
        maxProfileBytes = context[.maxProfileBytes]
        maxMetadataBytes = context[.maxMetadataBytes]
    }

    /// Throws `limitExceeded` for a file that says it is larger than allowed, or has more frames, a longer profile or
    /// more metadata; and `badData` for one without pixels, or with a frame outside its canvas.
    func check(_ info: ImageInfo) throws(ImageError) {
        try check(info.pixelSize)
        try check(info.frames, of: info.pixelSize)
        if case .icc(let profile) = info.profile, profile.count > maxProfileBytes {
            throw Self.refusal("a colour profile of \(profile.count) bytes", maxProfileBytes, key: "maxProfileBytes")
        }
        guard info.metadata.byteCount <= maxMetadataBytes else {
            throw Self.refusal(
                "metadata of \(info.metadata.byteCount) bytes", maxMetadataBytes, key: "maxMetadataBytes")
        }
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
            throw Self.refusal("\(size) are \(size.area) pixels", maxPixels, key: "maxPixels", stage: stage)
        }
    }

    private func check(_ frames: [FrameInfo], of canvas: PixelSize) throws(ImageError) {
        guard !frames.isEmpty else { return }
        guard frames.count <= maxFrames else {
            throw Self.refusal("\(frames.count) frames", maxFrames, key: "maxFrames")
        }
        if let maxTotalPixels {
            // Each frame is shown as the whole picture, however little of it it changes.
            let (area, overflow) = canvas.area.multipliedReportingOverflow(by: frames.count)
            guard !overflow, area <= maxTotalPixels else {
                throw Self.refusal(
                    "\(frames.count) frames of \(canvas) are \(overflow ? .max : area) pixels", maxTotalPixels,
                    key: "maxTotalPixels")
            }
        }
        for (index, frame) in frames.enumerated() where !frame.region.isInside(canvas) {
            let region = frame.region
            throw ImageError(
                .badData, stage: .decode,
                message: "frame \(index), \(region.size) at (\(region.x), \(region.y)), is not within \(canvas)")
        }
    }

    private static func refusal(
        _ found: String, _ limit: Int, key: String, stage: ImageError.Stage = .decode
    ) -> ImageError {
        ImageError(
            .limitExceeded, stage: stage, message: "\(found); \(limit) are allowed",
            advice: "raise the context value `\(key)` if the source is trusted")
    }
}
