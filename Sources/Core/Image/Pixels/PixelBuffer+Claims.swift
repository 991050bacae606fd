import CKernels

extension PixelBuffer {
    /// Returns the pixels without false claims to be opaque or gray.
    ///
    /// Only code outside the library makes false claims, so the pixels are read only if ``hasUncheckedClaims`` is true.
    /// Throws `cancelled` or `timedOut` if the job has ended.
    func checkingClaims(job: Job) throws(ImageError) -> PixelBuffer {
        guard hasUncheckedClaims else { return self }
        var layout = layout
        for y in 0..<height where layout.isOpaque || layout.isGray {
            try job.check()
            layout.isOpaque = layout.isOpaque && isRowOpaque(y)
            layout.isGray = layout.isGray && isRowGray(y)
        }
        return PixelBuffer(storage: storage, layout: layout)
    }

    /// Returns whether every pixel of row `y` is opaque. Reads the pixels, and ignores the claims of the layout.
    package func isRowOpaque(_ y: Int) -> Bool { ck_is_opaque(start(ofRow: y), width, format.bytesPerPixel / 4) }

    /// Returns whether red, green and blue are equal in every pixel of row `y`. Reads the pixels, not the layout.
    package func isRowGray(_ y: Int) -> Bool { ck_is_gray(start(ofRow: y), width, format.bytesPerPixel / 4) }

    private func start(ofRow y: Int) -> UnsafeRawPointer {
        precondition(y >= 0 && y < height, "row \(y) does not exist in a buffer of \(height) rows")
        return UnsafeRawPointer(storage.base + y * bytesPerRow)
    }
}

extension Image {
    /// Returns the image without false claims that its pixels are opaque or gray. Only the first frame of an animation
    /// is checked. Throws `cancelled` or `timedOut` if the job has ended.
    /// - Parameters:
    ///   - stage: The stage that the error for a false claim names.
    ///   - component: The name of the component that made the image; nil if unknown.
    ///   - onIssue: A closure that is called with an error if a claim is false.
    func checkingClaims(
        stage: ImageError.Stage, component: String? = nil, job: Job, onIssue: (ImageError) -> Void
    ) throws(ImageError) -> Image {
        guard pixels.hasUncheckedClaims else { return self }
        let checked = try pixels.checkingClaims(job: job)
        if checked.layout != pixels.layout {
            onIssue(.falseClaim(pixels.layout, found: checked.layout, stage: stage, component: component))
        }
        return Image(storage: Storage(pixels: checked, frames: frames, attributes: attributes), scale: scale)
    }
}

extension ImageError {
    /// Returns the error for pixels that are claimed to be opaque or gray although they are not.
    /// - Parameter found: The layout with the true claims only.
    fileprivate static func falseClaim(
        _ claimed: PixelLayout, found: PixelLayout, stage: Stage, component: String?
    ) -> ImageError {
        let isNotOpaque = claimed.isOpaque && !found.isOpaque
        let isNotGray = claimed.isGray && !found.isGray
        let words = [isNotOpaque ? "opaque" : nil, isNotGray ? "gray" : nil].compactMap(\.self)
        return ImageError(
            .falseClaim, stage: stage, component: component,
            message: "the image is declared \(words.joined(separator: " and ")), but has pixels that are not",
            advice: "declare it in `PixelBufferBuilder.finish` or `RowSink.begin` only if it is true of every pixel")
    }
}
