#if GIF
import Calotype

/// A file taken apart: what it says of itself, and where its frames are.
struct GIFFile {
    private(set) var info: ImageInfo
    private(set) var frames: [GIFFrame] = []
    /// Why the file may lack frames, or rows of the only one; nil if it does not.
    private(set) var failure: ImageError?

    /// Takes a file apart that has GIF's signature.
    ///
    /// Throws `badData` where there is no frame, and `limitExceeded` for too many frames, and for a frame, a profile or
    /// metadata that are too large.
    init(_ file: UnsafeRawBufferPointer, options: DecodeOptions) throws(ImageError) {
        var parser = try GIFParser(file, options: options)
        try parser.parse()
        guard let first = parser.frames.first else { throw parser.failure ?? .emptyGIF }
        var canvas = parser.canvas
        // Some files say nothing of it, or what is too small.
        if canvas.width < first.size.width { canvas.width = first.x + first.size.width }
        if canvas.height < first.size.height { canvas.height = first.y + first.size.height }
        frames = parser.frames.map { $0.clipped(to: canvas) }
        failure = parser.failure
        info = ImageInfo(
            format: .gif, pixelSize: canvas, hasAlpha: frames.contains { $0.transparentIndex != nil || $0.isHidden },
            bitDepth: [1, 2, 4].first { $0 >= parser.bitDepth } ?? 8, colorModel: .palette)
        let places = frames.map(\.info)
        info.hasAlpha = info.hasAlpha || places.leaveGaps(on: canvas)
        // A still that does not cover the canvas is laid on it as a frame is.
        if frames.count > 1 || places[0].region != PixelRegion(size: canvas) {
            info.frames = places
            info.loopCount = parser.loopCount
        }
        // Of a first frame that is cut off it is unknown whether others followed: it lacks rows.
        info.lacksFrames = failure != nil && first.isWhole
        if let profile = parser.profile {
            info.hasEmbeddedProfile = true
            info.profile = .icc(profile)
        }
        info.metadata.xmp = parser.xmp
    }
}
#endif
