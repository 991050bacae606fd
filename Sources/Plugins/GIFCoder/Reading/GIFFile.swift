#if GIF
import Calotype

/// A parsed file: its properties and the positions of its frames.
struct GIFFile {
    private(set) var info: ImageInfo
    private(set) var frames: [GIFFrame] = []
    /// The reason why frames, or rows of the only frame, may be missing; nil if the file is complete.
    private(set) var failure: ImageError?

    /// Parses a file with GIF's signature. Throws `badData` if there is no frame, and `limitExceeded` if a limit is
    /// exceeded.
    init(_ file: UnsafeRawBufferPointer, options: DecodeOptions) throws(ImageError) {
        var parser = try GIFParser(file, options: options)
        try parser.parse()
        guard let first = parser.frames.first else { throw parser.failure ?? .emptyGIF }
        var canvas = parser.canvas
        // Some files contain no canvas size, or one that is too small.
        if canvas.width < first.size.width { canvas.width = first.x + first.size.width }
        if canvas.height < first.size.height { canvas.height = first.y + first.size.height }
        frames = parser.frames.map { $0.clipped(to: canvas) }
        failure = parser.failure
        info = ImageInfo(
            format: .gif, pixelSize: canvas, hasAlpha: frames.contains { $0.transparentIndex != nil || $0.isHidden },
            bitDepth: [1, 2, 4].first { $0 >= parser.bitDepth } ?? 8, colorModel: .palette)
        let places = frames.map(\.info)
        info.hasAlpha = info.hasAlpha || places.leaveGaps(on: canvas)
        // A still image that does not cover the canvas is composed like a frame.
        if frames.count > 1 || places[0].region != PixelRegion(size: canvas) {
            info.frames = places
            info.loopCount = parser.loopCount
        }
        // If the first frame is truncated, it lacks rows; whether other frames followed is unknown.
        info.lacksFrames = failure != nil && first.isWhole
        if let profile = parser.profile {
            info.hasEmbeddedProfile = true
            info.profile = .icc(profile)
        }
        info.metadata.xmp = parser.xmp
    }
}
#endif
