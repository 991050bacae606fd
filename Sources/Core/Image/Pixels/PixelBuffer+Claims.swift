import CKernels

extension PixelBuffer {
    /// Returns the same pixels without the false claims that code outside the library has made about them. Reads each
    /// pixel once if a claim is unchecked; otherwise returns the buffer as it is.
    ///
    /// Throws `cancelled` and `timedOut` as `job` says.
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

    /// Returns whether the alpha of every pixel of row `y` is full, whatever the layout says.
    package func isRowOpaque(_ y: Int) -> Bool { ck_is_opaque(start(ofRow: y), width, format.bytesPerPixel / 4) }

    /// Returns whether red, green and blue of every pixel of row `y` are equal, whatever the layout says.
    package func isRowGray(_ y: Int) -> Bool { ck_is_gray(start(ofRow: y), width, format.bytesPerPixel / 4) }

    private func start(ofRow y: Int) -> UnsafeRawPointer {
        precondition(y >= 0 && y < height, "row \(y) does not exist in a buffer of \(height) rows")
        return UnsafeRawPointer(storage.base + y * bytesPerRow)
    }
}

extension Image {
    /// Returns the image without the false claims that code outside the library has made about its pixels.
    /// - Parameters:
    ///   - stage: The stage that has the image.
    ///   - component: The component that made the image; nil if it is not known.
    ///   - onIssue: Called with an error if claims are false.
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
    /// Returns the error for false claims about pixels.
    /// - Parameters:
    ///   - claimed: The layout with the claims.
    ///   - found: The layout with only the true claims.
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
