#if PNG
import CPNGShim
import Calotype

/// A wrapper around libpng's writer. Use an instance on one thread at a time.
///
/// Call the methods in the order of their declaration, except for `setProfile`: call it right before `writeHeader`.
final class PNGWriter {
    private let writer: OpaquePointer
    /// The form of the picture; nil before ``setPicture(_:form:_:)``. The C writer reads the form's list of colors,
    /// so the list must exist as long as that writer.
    private var form: PNGForm?
    private var bytesPerPixel = 0
    /// The width in pixels of the picture or of the current frame.
    private var width = 0

    init() throws(ImageError) {
        guard let writer = cpng_writer_create() else { throw .noMemoryForPNG(.encode) }
        self.writer = writer
    }

    deinit { cpng_writer_free(writer) }

    /// Sets the layout and form of the picture, and the effort with which libpng compresses its rows.
    func setPicture(_ layout: PixelLayout, form: PNGForm, _ effort: PNGEffort) throws(ImageError) {
        self.form = form
        bytesPerPixel = layout.format.bytesPerPixel
        width = layout.size.width
        let told = cpng_form(
            source: layout.format.pngSource, channels: Int32(form.channels), colors: form.colors?.pointer,
            level: Int32(effort.level), filters_up: effort.isFastest)
        // libpng refuses sizes that had to be clamped.
        try check(
            cpng_writer_set_picture(
                writer, UInt32(clamping: layout.size.width), UInt32(clamping: layout.size.height), told))
    }

    /// Embeds an ICC profile, or marks the colors as sRGB.
    /// - Returns: The reason why an invalid profile was omitted; nil if no profile was omitted.
    func setProfile(_ profile: ColorProfile) throws(ImageError) -> ImageError? {
        guard case .icc(let data) = profile else {
            try check(cpng_writer_set_srgb(writer))
            return nil
        }
        var isEmbedded = false
        let status = data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cpng_status in
            cpng_writer_set_profile(writer, bytes.baseAddress, UInt32(clamping: bytes.count), &isEmbedded)
        }
        try check(status)
        guard !isEmbedded else { return nil }
        let text = String(cString: cpng_writer_message(writer))
        return ImageError(
            .encodeFailed, stage: .encode, component: ImageFormat.png.name,
            message: "the color profile was left out because it is invalid; libpng says '\(text)'",
            advice: "convert the image to sRGB, or set a profile that matches its pixels")
    }

    /// Embeds an EXIF block. The block must begin with its byte order mark.
    func setEXIF(_ block: Data) throws(ImageError) {
        let status = block.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cpng_status in
            cpng_writer_set_exif(writer, bytes.baseAddress, UInt32(clamping: bytes.count))
        }
        try check(status)
    }

    /// Writes the chunks that precede the pixels, with everything that has been set so far.
    func writeHeader() throws(ImageError) {
        try check(cpng_writer_write_header(writer))
    }

    /// Embeds an XMP packet.
    func writeXMP(_ packet: Data) throws(ImageError) {
        let status = packet.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cpng_status in
            cpng_writer_write_xmp(writer, bytes.baseAddress, UInt32(clamping: bytes.count))
        }
        try check(status)
    }

    /// Makes the file an animation. A `loopCount` of 0 means that the animation plays forever.
    func writeAnimation(frameCount: Int, loopCount: Int) throws(ImageError) {
        // PNG's numbers have 31 bits.
        let most = Int(Int32.max)
        try check(
            cpng_writer_write_animation(
                writer, UInt32(min(frameCount, most)), UInt32(min(max(loopCount, 0), most))))
    }

    /// Begins the next frame, whose rows replace a region of the picture. The first frame must cover the whole picture.
    func beginFrame(_ region: PixelRegion, delay: PNGDelay) throws(ImageError) {
        width = region.size.width
        let placement = cpng_placement(
            x: UInt32(region.x), y: UInt32(region.y), width: UInt32(region.size.width),
            height: UInt32(region.size.height), delay_numerator: delay.numerator, delay_denominator: delay.denominator)
        try check(cpng_writer_begin_frame(writer, placement))
    }

    /// Writes the next row of the picture or of the current frame.
    func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageError) {
        checkLength(of: row)
        try check(cpng_writer_write_row(writer, row.baseAddress))
    }

    private func checkLength(of row: UnsafeRawBufferPointer) {
        precondition(
            row.count >= width * bytesPerPixel, "the row has \(row.count) of \(width * bytesPerPixel) bytes")
    }

    #if DEFLATE
    /// Whether the codes of colors are written, or gray levels of less than a byte, and not channels.
    var writesCodes: Bool { form?.colors != nil }

    /// The number of bytes of a packed row of the picture or of the current frame.
    var packedRowByteCount: Int { (width * (form?.bitsPerPixel ?? 0) + 7) / 8 }

    /// The number of bytes of a packed pixel; 1 if a pixel takes less than a byte.
    var packedPixelByteCount: Int { max(1, (form?.bitsPerPixel ?? 0) / 8) }

    /// Converts a row to the form in which the file stores it. `target` has memory for ``packedRowByteCount`` bytes.
    func packRow(_ row: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer) throws(ImageError) {
        checkLength(of: row)
        try check(cpng_writer_pack_row(writer, row.baseAddress, target))
    }

    /// Writes the compressed rows of the picture or of the current frame, as a zlib stream.
    func writePixels(_ stream: Data) throws(ImageError) {
        let status = stream.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cpng_status in
            cpng_writer_write_pixels(writer, bytes.baseAddress, bytes.count)
        }
        try check(status)
    }
    #endif

    /// Ends the file and returns its bytes.
    func finish() throws(ImageError) -> Data {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        try check(cpng_writer_finish(writer, &bytes, &count))
        guard let bytes else { return Data() }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    private func check(_ status: cpng_status) throws(ImageError) {
        guard status != CPNG_OK else { return }
        guard status != CPNG_OUT_OF_MEMORY else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "not enough memory for the PNG",
                advice: "encode fewer images at once, or raise the process's memory limit")
        }
        let text = String(cString: cpng_writer_message(writer))
        throw ImageError(
            .encodeFailed, stage: .encode, message: "cannot be written as PNG; libpng says '\(text)'",
            advice: "write another format")
    }
}
#endif
