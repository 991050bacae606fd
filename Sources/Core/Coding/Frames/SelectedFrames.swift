/// A selection of an animation's frames. Each selected frame is shown until the next selected frame.
struct SelectedFrames: FrameSource {
    /// The animation with all frames.
    let source: any FrameSource
    /// The selection of frames, with the time that each selected frame is shown.
    let selection: FrameSelection

    var frameCount: Int { selection.indices.count }
    var loopCount: Int { source.loopCount }
    var byteCount: Int { source.byteCount }

    func duration(ofFrame index: Int) -> Duration { selection.durations[index] }

    func frame(_ index: Int, job: Job) throws -> PixelBuffer {
        guard selection.indices.indices.contains(index) else { throw ImageError.noSuchFrame(index, of: frameCount) }
        return try source.frame(selection.indices[index], job: job)
    }
}
