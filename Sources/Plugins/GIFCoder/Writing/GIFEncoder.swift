#if GIF
import Calotype

/// An encoder for still and animated GIF.
///
/// Colors are exact if they fit into the palette, which has at most 256 colors, or 255 in an animation or with
/// transparent pixels. Pixels that are less than half opaque become transparent, and all others become opaque. For each
/// frame, only the difference from the previous frame is written.
///
/// At most four frames are in memory at a time: the first, the previous, the current and the next one.
struct GIFEncoder: ImageEncoder {
    /// The longest side that the format supports, in pixels.
    private static let maxSide = 65_535

    var writesAnimations: Bool { true }

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        let size = image.pixels.size
        guard max(size.width, size.height) <= Self.maxSide else {
            throw ImageError(
                .encodeFailed, stage: .encode,
                message: "cannot be written as GIF: \(size) pixels exceed \(Self.maxSide) on a side",
                advice: "resize the image, or write PNG")
        }
        let frames = ImageFrames(image)
        let settings = options.context[.gifOptions]
        var first = settings.sharedPalette ? try sharedColors(of: frames, settings, job: job) : nil
        var writer: GIFWriter?
        var before: PixelBuffer?
        var cleared: PixelRegion?
        var pixels = try frames.pixels(0, job: job).converted(to: .rgba8, job: job)
        for index in 0..<frames.count {
            let isLast = index == frames.count - 1
            let after = isLast ? nil : try frames.pixels(index + 1, job: job).converted(to: .rgba8, job: job)
            let change = try GIFChange(pixels, before: before, cleared: cleared, after: after, job: job)
            let count = GIFColors.count(isSparse: change.isSparse || frames.count > 1, settings)
            let indexed = try IndexedRegion(change, atMost: count, job: job)
            let (colors, isOwn) = try colors(
                of: change, indexed, first, isAnimated: frames.count > 1, settings, job: job)
            first = first ?? colors
            let made = try writer ?? begin(image, frames, first ?? colors, options)
            writer = made
            try made.beginFrame(
                change.region, disposal: change.disposal, duration: frames.count > 1 ? frames.duration(index) : nil,
                colors: isOwn ? colors : nil, clear: colors.clear)
            try write(change, indexed, in: colors, to: made, job: job)
            (before, cleared) = (pixels, change.cleared)
            if let after { pixels = after }
        }
        return try writer!.finish()
    }

    /// Begins a file and writes all blocks before the first frame.
    private func begin(
        _ image: Image, _ frames: ImageFrames, _ colors: GIFColors, _ options: EncodeOptions
    ) throws(ImageError) -> GIFWriter {
        let writer = try GIFWriter(image.pixels.size, colors: colors)
        if frames.count > 1 { try writer.writeLoops(frames.loopCount) }
        if options.embedsProfile, case .icc(let profile) = image.attributes.profile { try writer.writeProfile(profile) }
        if let xmp = options.metadata.xmp {
            // A zero byte would end the packet, and the rest would be read as blocks of the file.
            if xmp.contains(0) {
                options.onIssue(
                    ImageError(
                        .encodeFailed, stage: .encode,
                        message: "the XMP packet was left out because it contains a zero byte, which GIF cannot store",
                        advice: "remove the zero byte from the packet"))
            } else {
                writer.writeXMP(xmp)
            }
        }
        return writer
    }

    private func write(
        _ change: GIFChange, _ indexed: IndexedRegion?, in colors: GIFColors, to writer: GIFWriter, job: Job
    ) throws {
        let region = change.region
        var indices = [UInt8](repeating: 0, count: region.size.width)
        if let indexed, colors.dithering == .none,
            let palette = indexed.indices(in: colors.palette.colors, clear: colors.clear)
        {
            for y in 0..<region.size.height {
                try job.check()
                indexed.writeRow(y, by: palette, into: &indices)
                try writer.writeRow(&indices)
            }
            return
        }
        var mapper = ColorMapper(
            colors.palette, dithering: colors.dithering, clear: colors.clear ?? 0, size: region.size)
        var row = change.row
        for y in change.rowRange {
            try job.check()
            change.readColors(y, into: &row)
            mapper.map(row, y: y, x: region.x, into: &indices)
            try writer.writeRow(&indices)
        }
    }

    // MARK: Colors

    /// Returns the colors of a frame, and whether the frame needs a palette of its own instead of the file's palette.
    private func colors(
        of change: GIFChange, _ indexed: IndexedRegion?, _ first: GIFColors?, isAnimated: Bool, _ options: GIFOptions,
        job: Job
    ) throws(ImageError) -> (GIFColors, isOwn: Bool) {
        if let first, options.sharedPalette { return (first, false) }
        let isSparse = change.isSparse || isAnimated
        if let indexed {
            if let first, first.hasAll(of: indexed) { return (GIFColors(exactly: first), false) }
            return (GIFColors(indexed, isSparse: isSparse), first != nil)
        }
        var histogram = ColorHistogram()
        try histogram.add(change, job: job)
        return (GIFColors(histogram, isSparse: isSparse, isAnimated: isAnimated, options), first != nil)
    }

    /// Returns the colors of the palette that all frames share.
    private func sharedColors(of frames: ImageFrames, _ options: GIFOptions, job: Job) throws -> GIFColors {
        var histogram = ColorHistogram()
        // In an animation, unchanged pixels are not drawn.
        var isSparse = frames.count > 1
        for index in 0..<frames.count {
            let pixels = try frames.pixels(index, job: job).converted(to: .rgba8, job: job)
            let change = try GIFChange(pixels, before: nil, cleared: nil, after: nil, job: job)
            isSparse = isSparse || change.isSparse
            try histogram.add(change, job: job)
        }
        return GIFColors(histogram, isSparse: isSparse, isAnimated: frames.count > 1, options)
    }
}
#endif
