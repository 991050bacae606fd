extension Image {
    /// Returns the image with upright pixels. Frames after the first are turned on demand. Throws `outOfMemory`, and
    /// `cancelled` or `timedOut` if the job ends.
    func upright(job: Job) throws(ImageError) -> Image {
        let orientation = attributes.orientation
        guard orientation != .up else { return self }
        let turned = try pixels.upright(from: orientation, job: job)
        let turnedFrames = frames.map { frames in
            MappedFrames(frames, from: pixels, to: turned) { try $0.upright(from: orientation, job: $1) }
        }
        var attributes = attributes
        attributes.orientation = .up
        return Image(storage: Storage(pixels: turned, frames: turnedFrames, attributes: attributes), scale: scale)
    }
}
