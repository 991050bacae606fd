/// The pictures to write to a file: a still, or the frames of an animation.
package struct ImageFrames {
    /// The frames of an animation; nil for a still.
    package let animation: (any FrameSource)?
    /// The number of pictures; at least 1.
    package let count: Int
    private let first: PixelBuffer

    package init(_ image: Image) {
        first = image.pixels
        animation = image.isAnimated ? image.frames : nil
        count = animation?.frameCount ?? 1
    }

    /// The layout of all frames. Its `isOpaque` and `isGray` hold only for the first frame.
    package var layout: PixelLayout { first.layout }

    /// The number of times that the animation plays, where 0 is forever; 1 for a still.
    package var loopCount: Int { animation?.loopCount ?? 1 }

    /// Returns the duration of a frame; zero for a still.
    package func duration(_ index: Int) -> Duration { animation?.duration(ofFrame: index) ?? .zero }

    /// Returns the whole picture at a frame. Throws `encodeFailed` if its size or pixel format is not that of the first
    /// frame.
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
                advice: "use the same size and pixel format for all frames")
        }
        return pixels
    }
}
