#if PNG
import CPNGShim
import Calotype

/// libpng's writer. The functions are called in the order in which they stand here, by one thread at a time.
final class PNGWriter {
    private let writer: OpaquePointer
    private var rowByteCount = 0

    init() throws(ImageError) {
        guard let writer = cpng_writer_create() else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "no memory for libpng",
                advice: "do less at once, or give the process more memory")
        }
        self.writer = writer
    }

    deinit { cpng_writer_free(writer) }

    /// Says what is written: 1 to 4 channels of pixels of this layout, compressed by zlib's level 0...9.
    func setPicture(_ layout: PixelLayout, channels: Int, level: Int) throws(ImageError) {
        let source =
            switch layout.format {
            case .rgba8: CPNG_RGBA8
            case .rgba16: CPNG_RGBA16
            case .rgbaFloat: CPNG_RGBA_FLOAT
            }
        rowByteCount = layout.rowByteCount
        // libpng refuses sides that are as long as what is clamped.
        try check(
            cpng_writer_set_picture(
                writer, UInt32(clamping: layout.size.width), UInt32(clamping: layout.size.height), Int32(channels),
                source, Int32(level)))
    }

    /// Embeds a profile, or says that the colours are sRGB.
    func setProfile(_ profile: ColorProfile) throws(ImageError) {
        guard case .icc(let data) = profile else { return try check(cpng_writer_set_srgb(writer)) }
        let status = data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cpng_status in
            cpng_writer_set_profile(writer, bytes.baseAddress, UInt32(clamping: bytes.count))
        }
        try check(status, advice: "convert the image to sRGB, or give it a profile that fits its pixels")
    }

    /// Embeds an EXIF block, which begins with its byte order mark.
    func setEXIF(_ block: Data) throws(ImageError) {
        let status = block.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cpng_status in
            cpng_writer_set_exif(writer, bytes.baseAddress, UInt32(clamping: bytes.count))
        }
        try check(status)
    }

    /// Writes all that stands before the pixels.
    func writeHeader() throws(ImageError) {
        try check(cpng_writer_write_header(writer))
    }

    /// Writes the next row.
    func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageError) {
        precondition(row.count >= rowByteCount, "\(row.count) bytes of a row of \(rowByteCount)")
        try check(cpng_writer_write_row(writer, row.baseAddress))
    }

    /// Ends the file and gives it away.
    func finish() throws(ImageError) -> Data {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        try check(cpng_writer_finish(writer, &bytes, &count))
        guard let bytes else { return Data() }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    private func check(_ status: cpng_status, advice: String? = nil) throws(ImageError) {
        guard status != CPNG_OK else { return }
        guard status != CPNG_OUT_OF_MEMORY else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "no memory left for the PNG",
                advice: "do less at once, or give the process more memory")
        }
        let text = String(cString: cpng_writer_message(writer))
        throw ImageError(
            .encodeFailed, stage: .encode, message: "cannot be written as PNG; libpng says '\(text)'", advice: advice)
    }
}
#endif
