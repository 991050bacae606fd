import CalotypeStandard

/// A selection of frames of an animation, evenly distributed over it and scaled down so that they fit into one row.
enum FilmStrip {
    /// The maximum number of frames in the row.
    private static let frameLimit = 8
    /// The space between two neighboring frames, in pixels.
    private static let gap = 10

    /// Returns up to eight frames of an animation, scaled down to fit into a row. Returns no frames for a still image.
    /// Blocks while the frames are decoded.
    /// - Parameters:
    ///   - image: The image.
    ///   - width: The length of the row, in pixels.
    static func frames(of image: Image, within width: Int) throws -> [PixelBuffer] {
        guard let frames = image.frames, frames.frameCount > 1 else { return [] }
        let count = min(frames.frameCount, frameLimit)
        let room = PixelSize(width: (width - (count - 1) * gap) / count, height: image.height)
        return try (0..<count).map { index in
            let frame = try frames.frame(index * (frames.frameCount - 1) / (count - 1), job: Job())
            return try frame.resampled(to: frame.size.fitting(room))
        }
    }
}
