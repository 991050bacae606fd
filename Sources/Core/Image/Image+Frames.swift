extension Image {
    /// Returns the image with all its frames decoded, so that showing them needs no decoding. A still image, or an
    /// animation whose frames are already in memory, is returned unchanged.
    ///
    /// Blocks until all frames are decoded. Throws the error of a frame that cannot be decoded, and `cancelled` or
    /// `timedOut` if the job has ended.
    public func preloadingFrames(job: Job = Job()) throws(ImageError) -> Image {
        guard let frames, frames.frameCount > 1, !(frames is FrameList) else { return self }
        var list = [(pixels: pixels, duration: frames.duration(ofFrame: 0))]
        for index in 1..<frames.frameCount {
            try job.check()
            list.append((try frames.pixels(ofFrame: index, job: job), frames.duration(ofFrame: index)))
        }
        return replacing(pixels: pixels, frames: FrameList(list, loopCount: frames.loopCount))
    }

    /// Returns a frame as a still image. A still image has only frame 0. Throws `noSuchFrame` if the frame does not
    /// exist, and the error of a frame that cannot be decoded.
    func still(ofFrame index: Int, job: Job) throws(ImageError) -> Image {
        let count = frames?.frameCount ?? 1
        guard (0..<count).contains(index) else { throw .noSuchFrame(index, of: count) }
        guard let frames else { return self }
        return replacing(pixels: try index == 0 ? pixels : frames.pixels(ofFrame: index, job: job))
    }

    /// Returns the same image with other pixels and frames.
    func replacing(pixels: PixelBuffer, frames: (any FrameSource)?) -> Image {
        Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
    }
}

extension FrameSource {
    /// Returns the pixels of a frame. Converts every error to an ``ImageError``.
    fileprivate func pixels(ofFrame index: Int, job: Job) throws(ImageError) -> PixelBuffer {
        do {
            return try frame(index, job: job)
        } catch {
            throw .wrapping(
                error, as: .badData, stage: .decode, message: "frame \(index) could not be decoded",
                advice: "check the frame source of the image")
        }
    }
}
