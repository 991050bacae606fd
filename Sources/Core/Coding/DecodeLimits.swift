/// The limits of a request on the pictures that it accepts.
struct DecodeLimits {
    private let maxPixels: Int
    private let maxSidePixels: Int
    private let maxFrames: Int
    private let maxTotalPixels: Int
    /// The single frame to decode; nil for all frames.
    private let frame: Int?
    private let maxProfileBytes: Int
    private let maxMetadataBytes: Int

    init(_ context: ResolvedContext) {
        maxPixels = context[.maxPixels]
        maxSidePixels = context[.maxSidePixels]
        maxFrames = context[.maxFrames]
        maxTotalPixels = context[.maxTotalPixels]
        frame = context[.frame]
        maxProfileBytes = context[.maxProfileBytes]
        maxMetadataBytes = context[.maxMetadataBytes]
    }

    /// Checks the properties of a file. Throws `limitExceeded` if they exceed a limit, and `badData` if the file has no
    /// pixels or a frame extends beyond its canvas.
    func check(_ info: ImageInfo) throws(ImageError) {
        try check(info.pixelSize)
        try checkCount(info.frames.count)
        for (index, frame) in info.frames.enumerated() where !frame.region.isInside(info.pixelSize) {
            let region = frame.region
            throw ImageError(
                .badData, stage: .decode,
                message: """
                    frame \(index), \(region.size) at (\(region.x), \(region.y)), extends beyond the canvas of \
                    \(info.pixelSize)
                    """,
                advice: "get an intact copy of the file")
        }
        if let frame {
            try checkWork(of: frame, in: info)
        } else {
            if info.frames.count > 1 { try checkMemory(for: AnimationPlan.picturesAtOnce, of: info.pixelSize) }
            try checkTotal(info.frames.count, of: info.pixelSize)
        }
        if case .icc(let profile) = info.profile, profile.count > maxProfileBytes {
            throw .beyondLimit("the color profile has \(profile.count) bytes", maxProfileBytes, key: "maxProfileBytes")
        }
        guard info.metadata.byteCount <= maxMetadataBytes else {
            throw .beyondLimit(
                "the metadata has \(info.metadata.byteCount) bytes", maxMetadataBytes, key: "maxMetadataBytes")
        }
    }

    /// Checks a decoded image. Throws `limitExceeded` if it is too large or has too many frames.
    func check(_ image: Image) throws(ImageError) {
        let count = image.frames?.frameCount ?? 0
        try check(image.size)
        try checkCount(count)
        // A single frame may build upon all frames before it.
        try checkTotal(min(count - 1, frame.map { max($0, 0) } ?? count - 1) + 1, of: image.size)
    }

    /// Checks the size of a picture. Throws `limitExceeded` if it is too large, and `badData` if it has no pixels.
    func check(_ size: PixelSize, stage: ImageError.Stage = .decode) throws(ImageError) {
        guard !size.isEmpty else {
            throw ImageError(
                .badData, stage: stage, message: "the picture has no pixels: its size is \(size)",
                advice: stage == .transform
                    ? "make the transformer return at least one pixel" : "get an intact copy of the file")
        }
        guard max(size.width, size.height) <= maxSidePixels else {
            throw ImageError(
                .limitExceeded, stage: stage, message: "\(size) pixels; at most \(maxSidePixels) are allowed on a side",
                advice: "raise the context value `maxSidePixels` if the source is trusted")
        }
        guard size.area <= maxPixels else {
            throw .beyondLimit("\(size) is \(size.area) pixels", maxPixels, key: "maxPixels", stage: stage)
        }
    }

    private func checkCount(_ count: Int) throws(ImageError) {
        guard count <= maxFrames else { throw .beyondLimit("has \(count) frames", maxFrames, key: "maxFrames") }
    }

    /// Throws `limitExceeded` if `count` frames together have too many pixels. Each frame counts as a whole canvas.
    private func checkTotal(_ count: Int, of canvas: PixelSize) throws(ImageError) {
        guard count > 1 else { return }
        let (area, overflow) = canvas.area.multipliedReportingOverflow(by: count)
        guard !overflow, area <= maxTotalPixels else {
            throw .beyondLimit(
                "\(count) frames of \(canvas) have \(overflow ? .max : area) pixels", maxTotalPixels,
                key: "maxTotalPixels")
        }
    }

    /// Throws `limitExceeded` if showing a frame alone takes more memory or work than a still may. The work includes
    /// drawing the earlier frames that the frame builds upon.
    private func checkWork(of frame: Int, in info: ImageInfo) throws(ImageError) {
        // A frame that does not exist is refused later, with its own error.
        guard info.frames.indices.contains(frame) else { return }
        let plan = AnimationPlan(info)
        if !plan.isWhole(frame) { try checkMemory(for: 2, of: info.pixelSize) }
        let pixelCount = plan.pixelCount(upTo: frame)
        guard pixelCount <= maxPixels else {
            throw .beyondLimit(
                "frame \(frame), with the frames that it builds upon, has \(pixelCount) pixels", maxPixels,
                key: "maxPixels")
        }
    }

    /// Throws `limitExceeded` if `pictureCount` pictures of the canvas's size have too many pixels in total.
    private func checkMemory(for pictureCount: Int, of canvas: PixelSize) throws(ImageError) {
        let (area, overflow) = canvas.area.multipliedReportingOverflow(by: pictureCount)
        guard !overflow, area <= maxPixels else {
            throw .beyondLimit(
                "an animation of \(canvas) needs \(pictureCount) pictures at once, or \(overflow ? .max : area) pixels",
                maxPixels, key: "maxPixels")
        }
    }
}

extension DecodeOptions {
    /// Checks the size of a picture in a file, including pixels that are not shown. Throws `limitExceeded` if the size
    /// is too large, and `badData` if it is empty.
    package func checkLimits(_ size: PixelSize) throws(ImageError) {
        try DecodeLimits(context).check(size)
    }
}

extension ImageError {
    /// Returns the error for a value beyond the limit that a key sets.
    package static func beyondLimit(
        _ found: String, _ limit: Int, key: String, stage: Stage = .decode
    ) -> ImageError {
        ImageError(
            .limitExceeded, stage: stage, message: "\(found); at most \(limit) are allowed",
            advice: "raise the context value `\(key)` if the source is trusted")
    }

    /// Returns the error for a file with more `things` than a key allows. The message does not state their number.
    package static func beyondLimit(
        moreThan limit: Int, _ things: String, key: String
    ) -> ImageError {
        ImageError(
            .limitExceeded, stage: .decode, message: "has more than the allowed \(limit) \(things)",
            advice: "raise the context value `\(key)` if the source is trusted")
    }
}
