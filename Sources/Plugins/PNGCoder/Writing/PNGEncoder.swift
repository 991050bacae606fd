#if PNG
import CPNGShim
import Calotype

/// An encoder for PNG and APNG. Pixels of the formats `rgba8` and `rgba16` are written without loss. Pixels of the
/// format `rgbaFloat` are clamped to 0...1 and rounded to 16 bits.
///
/// Pictures that are gray, are opaque or have few colors are written with fewer bits. If `pngReducesColors` is off,
/// pixels are not examined, and a picture is gray or opaque only if its layout says so. An invalid profile is omitted
/// and reported as an issue.
///
/// All frames of an animation are written in the same form. The encoder therefore requests frames from their source
/// twice, first to choose the form and then to write them. Of each frame, only the rectangle that differs from the
/// previous frame is written. At most three frames are in memory at a time, in addition to the rows of a frame that is
/// compressed at once.
struct PNGEncoder: ImageEncoder {
    var writesAnimations: Bool { true }
    var storesOrientation: Bool { true }

    #if DEFLATE
    /// The maximum number of bytes of rows that are compressed at once. If 0, libpng writes all pictures.
    var maxByteCountAtOnce = PNGFilteredRows.maxByteCount
    #endif

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        let frames = ImageFrames(image)
        let profile = options.embedsProfile ? image.attributes.profile : nil
        let effort = PNGEffort(options)
        let writer = try PNGWriter()
        try writer.setPicture(
            frames.layout, form: Self.form(of: frames, profile: profile, options: options, job: job), effort)
        if let exif = options.metadata.exif { try writer.setEXIF(exif) }
        if let profile, let issue = try writer.setProfile(profile) { options.onIssue(issue) }
        try writer.writeHeader()
        if let xmp = options.metadata.xmp { try writer.writeXMP(xmp) }
        if let animation = frames.animation {
            try write(frames, of: animation, to: writer, effort, job: job)
        } else {
            try write(PixelRegion(size: image.size), of: image.pixels, to: writer, effort, job: job)
        }
        return try writer.finish()
    }

    private static func form(
        of frames: ImageFrames, profile: ColorProfile?, options: EncodeOptions, job: Job
    ) throws -> PNGForm {
        // PNG requires a gray profile for a picture stored as gray, and a color profile for all others.
        let isGrayProfile = profile?.isForGray
        var survey = try PNGSurvey(
            of: frames.layout.format, permitsGray: isGrayProfile != false,
            looksAtPixels: options.context[.pngReducesColors])
        for index in 0..<frames.count where !survey.isSettled {
            try job.check()
            try survey.add(frames.pixels(index, job: job), isAlone: frames.count == 1, job: job)
        }
        return PNGForm(frames.layout, survey, permitsPalette: isGrayProfile != true)
    }

    // MARK: Pixels

    private func write(
        _ frames: ImageFrames, of animation: any FrameSource, to writer: PNGWriter, _ effort: PNGEffort, job: Job
    ) throws {
        try writer.writeAnimation(frameCount: frames.count, loopCount: animation.loopCount)
        var before: PixelBuffer?
        for index in 0..<frames.count {
            let pixels = try frames.pixels(index, job: job)
            let region =
                try before.map { try Self.change(from: $0, to: pixels, job: job) } ?? PixelRegion(size: pixels.size)
            try writer.beginFrame(region, delay: PNGDelay(animation.duration(ofFrame: index)))
            try write(region, of: pixels, to: writer, effort, job: job)
            before = pixels
        }
    }

    private func write(
        _ region: PixelRegion, of pixels: PixelBuffer, to writer: PNGWriter, _ effort: PNGEffort, job: Job
    ) throws {
        #if DEFLATE
        if let rows = PNGFilteredRows(region, of: pixels, for: writer, maxByteCount: maxByteCountAtOnce),
            let stream = try rows.compressed(effort, job: job)
        {
            return try writer.writePixels(stream)
        }
        #endif
        let start = region.x * pixels.format.bytesPerPixel
        for y in region.y..<region.y + region.size.height {
            try job.check()
            try pixels.withRow(y) { (row: RawSpan) throws -> Void in
                try row.withUnsafeBytes { (row: UnsafeRawBufferPointer) throws -> Void in
                    try writer.writeRow(UnsafeRawBufferPointer(rebasing: row[start...]))
                }
            }
        }
    }

    /// Returns the smallest rectangle that contains all differences between two pictures. If they are equal, returns a
    /// rectangle of one pixel, because a frame must not be empty.
    private static func change(
        from before: PixelBuffer, to after: PixelBuffer, job: Job
    ) throws -> PixelRegion {
        let rowByteCount = after.layout.rowByteCount
        var rows = 0..<0
        /// The smallest range of bytes within a row that contains the differences in all rows.
        var part = 0..<0
        try before.withUnsafeBytes { (old: UnsafeRawBufferPointer) throws -> Void in
            try after.withUnsafeBytes { (new: UnsafeRawBufferPointer) throws -> Void in
                for y in 0..<after.height {
                    try job.check()
                    var (first, end) = (0, 0)
                    guard
                        cpng_find_change(
                            old.baseAddress! + y * before.bytesPerRow, new.baseAddress! + y * after.bytesPerRow,
                            rowByteCount, &first, &end)
                    else { continue }
                    part = rows.isEmpty ? first..<end : min(part.lowerBound, first)..<max(part.upperBound, end)
                    rows = (rows.isEmpty ? y : rows.lowerBound)..<y + 1
                }
            }
        }
        guard !rows.isEmpty else { return PixelRegion(size: PixelSize(1, 1)) }
        let left = part.lowerBound / after.format.bytesPerPixel
        let right = (part.upperBound - 1) / after.format.bytesPerPixel
        return PixelRegion(x: left, y: rows.lowerBound, size: PixelSize(right - left + 1, rows.count))
    }
}
#endif
