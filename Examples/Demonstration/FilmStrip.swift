import CalotypeStandard

/// Some frames of an animation, evenly spread over it, as small as they have to be to stand in one line.
enum FilmStrip {
    private static let frameLimit = 8
    /// Between any two frames, in pixels.
    private static let gap = 10

    /// The frames of an image; none of a still.
    /// - Parameter width: The length of the line, in pixels.
    /// Blocks while it decodes.
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
