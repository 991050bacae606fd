#if JPEG
import CJPEGShim
import Calotype

/// libjpeg-turbo's writer. The functions are called in the order in which they stand here, by one thread at a time.
final class JPEGWriter {
    private let writer: OpaquePointer
    private var rowByteCount = 0

    init() throws(ImageError) {
        guard let writer = cjpeg_writer_create() else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "no memory for libjpeg-turbo",
                advice: "do less at once, or give the process more memory")
        }
        self.writer = writer
    }

    deinit { cjpeg_writer_free(writer) }

    /// Says what is written, with a quality of 1...100, and writes the beginning.
    func start(
        _ layout: PixelLayout, isGray: Bool, quality: Int, isProgressive: Bool, subsampling: JPEGSubsampling
    ) throws(ImageError) {
        rowByteCount = layout.rowByteCount
        var picture = cjpeg_picture()
        picture.width = UInt32(clamping: layout.size.width)
        picture.height = UInt32(clamping: layout.size.height)
        picture.format =
            switch layout.format {
            case .rgba8: CJPEG_RGBA8
            case .rgba16: CJPEG_RGBA16
            case .rgbaFloat: CJPEG_RGBA_FLOAT
            }
        picture.is_opaque = layout.isOpaque
        picture.is_gray = isGray
        picture.is_progressive = isProgressive
        picture.quality = Int32(clamping: quality)
        picture.horizontal_factor = Int32(subsampling.horizontalFactor)
        picture.vertical_factor = Int32(subsampling.verticalFactor)
        try check(cjpeg_writer_start(writer, &picture))
    }

    /// Embeds an EXIF block, which begins with its byte order mark.
    func writeEXIF(_ block: Data) throws(ImageError) {
        let marked = Data("Exif\0\0".utf8) + block
        let status = marked.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cjpeg_status in
            cjpeg_writer_write_exif(writer, bytes.baseAddress, bytes.count)
        }
        try check(status)
    }

    /// Embeds an ICC profile.
    func writeProfile(_ profile: Data) throws(ImageError) {
        let status = profile.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cjpeg_status in
            cjpeg_writer_write_profile(writer, bytes.baseAddress, bytes.count)
        }
        try check(status, advice: "convert the image to sRGB, or give it a profile that fits its pixels")
    }

    /// Writes the next row.
    func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageError) {
        precondition(row.count >= rowByteCount, "\(row.count) bytes of a row of \(rowByteCount)")
        try check(cjpeg_writer_write_row(writer, row.baseAddress))
    }

    /// Ends the file and gives it away.
    func finish() throws(ImageError) -> Data {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        try check(cjpeg_writer_finish(writer, &bytes, &count))
        guard let bytes else { return Data() }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    private func check(_ status: cjpeg_status, advice: String? = nil) throws(ImageError) {
        guard status != CJPEG_OK else { return }
        guard status != CJPEG_OUT_OF_MEMORY else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "no memory left for the JPEG",
                advice: "do less at once, or give the process more memory")
        }
        let text = String(cString: cjpeg_writer_message(writer))
        throw ImageError(
            .encodeFailed, stage: .encode, message: "cannot be written as JPEG; libjpeg-turbo says '\(text)'",
            advice: advice)
    }
}
#endif
