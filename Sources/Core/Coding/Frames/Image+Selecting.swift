extension Image {
    /// Returns the image with all its frames in memory if the context preloads them. If a frame is damaged and the
    /// context allows partial pictures, returns the image marked as partial, without preloading its frames.
    func preloaded(as context: ResolvedContext, job: Job) throws(ImageError) -> Image {
        guard context[.preloadsFrames] else { return self }
        do {
            return try preloadingFrames(job: job)
        } catch {
            guard context[.allowPartial], error.isDamage else { throw error }
            var attributes = attributes
            attributes.isPartial = true
            return Image(storage: Storage(pixels: pixels, frames: frames, attributes: attributes), scale: scale)
        }
    }

    /// Returns the image with the frames that the context keeps; a still if it keeps only one. A context with
    /// ``ContextKey/frame`` does not change the image.
    func selectingFrames(as context: ResolvedContext) -> Image {
        guard let frames, context[.frame] == nil,
            let selection = FrameSelection(of: (0..<frames.frameCount).map(frames.duration), by: context)
        else { return self }
        guard selection.indices.count > 1 else { return replacing(pixels: pixels, frames: nil) }
        // Frames that are in memory already are released if they are left out.
        let kept: any FrameSource =
            (frames as? FrameList)?.selecting(selection) ?? SelectedFrames(source: frames, selection: selection)
        return replacing(pixels: pixels, frames: kept)
    }
}

extension FrameList {
    /// Returns only the selected frames. The result does not retain the other frames in memory.
    fileprivate func selecting(_ selection: FrameSelection) -> FrameList {
        FrameList(
            zip(selection.indices, selection.durations).map { (frames[$0].pixels, $1) }, loopCount: loopCount)
    }
}
