#if PNG
import Calotype

/// The pictures of a file that is written: one, or the frames of an animation.
struct PNGFrames {
    /// Nil for a still.
    let animation: (any FrameSource)?
    /// At least 1.
    let count: Int
    private let first: PixelBuffer

    init(_ image: Image) {
        first = image.pixels
        animation = image.isAnimated ? image.frames : nil
        count = animation?.frameCount ?? 1
    }

    /// What all frames have; what is known of the values is known of the first alone.
    var layout: PixelLayout { first.layout }

    /// The whole picture at a frame. Throws what the animation throws, and `encodeFailed` for a frame that is not of
    /// the first's size and format.
    func pixels(_ index: Int, job: Job) throws -> PixelBuffer {
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
#endif
