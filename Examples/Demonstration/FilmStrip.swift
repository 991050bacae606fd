import CalotypeStandard

/// Some frames of an animation, evenly spread over it, scaled down to fit in one line.
enum FilmStrip {
    private static let frameLimit = 8
    /// The space between any two frames, in pixels.
    private static let gap = 10

    /// Returns the frames of an image; none for a still image. Blocks while it decodes.
    /// - Parameter width: The length of the line, in pixels.
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
