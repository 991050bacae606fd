/// The pictures of a file that is written: one, or the frames of an animation.
package struct ImageFrames {
    /// Nil for a still.
    package let animation: (any FrameSource)?
    /// At least 1.
    package let count: Int
    private let first: PixelBuffer

    package init(_ image: Image) {
        first = image.pixels
        animation = image.isAnimated ? image.frames : nil
        count = animation?.frameCount ?? 1
    }

    /// The layout of all frames; its claims about values are those of the first frame alone.
    package var layout: PixelLayout { first.layout }

    /// The number of times the animation plays; 1 for a still.
    package var loopCount: Int { animation?.loopCount ?? 1 }

    /// Returns the duration of a frame; zero for a still.
    package func duration(_ index: Int) -> Duration { animation?.duration(ofFrame: index) ?? .zero }

    /// The whole picture at a frame. Throws what the animation throws, and `encodeFailed` for a frame that is not of
    /// the first's size and format.
    package func pixels(_ index: Int, job: Job) throws -> PixelBuffer {
        guard index > 0, let animation else { return first }
        let pixels = try animation.frame(index, job: job)
        guard pixels.size == first.size, pixels.format == first.format else {
            throw ImageError(
                .encodeFailed, stage: .encode,
                message: """
                    frame \(index) is \(pixels.size) in \(pixels.format.rawValue), but frame 0 is \(first.size) in \
                    \(first.format.rawValue)
                    """,
                advice: "give all frames one size and format")
        }
        return pixels
    }
}
