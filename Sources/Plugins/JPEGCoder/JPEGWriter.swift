#if JPEG
import CJPEGShim
import Calotype

/// A wrapper around libjpeg-turbo's writer. Call the methods in the order of their declaration, on one thread at a
/// time.
final class JPEGWriter {
    /// The maximum length of an EXIF block, in bytes. A segment holds 65,533 bytes, six of which identify the contents.
    static let maxEXIFByteCount = 65_527
    /// The maximum length of an XMP packet, in bytes. Source: XMP Specification, part 3 (2020), section 1.1.3.
    static let maxXMPByteCount = 65_502

    private let writer: OpaquePointer

    init() throws(ImageError) {
        guard let writer = cjpeg_writer_create() else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "not enough memory for libjpeg-turbo",
                advice: "encode fewer images at once, or raise the process's memory limit")
        }
        self.writer = writer
    }

    deinit { cjpeg_writer_free(writer) }

    /// Sets the layout and the settings of the picture, and writes the beginning of the file.
    func start(_ layout: PixelLayout, _ recipe: JPEGRecipe) throws(ImageError) {
        var picture = recipe.picture(layout)
        try check(cjpeg_writer_start(writer, &picture))
    }

    /// Embeds an EXIF block. The block must begin with its byte order mark. Throws `encodeFailed` if the block is
    /// longer than ``maxEXIFByteCount``.
    func writeEXIF(_ block: Data) throws(ImageError) {
        try Self.check(block, "the EXIF block", maxByteCount: Self.maxEXIFByteCount)
        let status = block.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cjpeg_status in
            cjpeg_writer_write_exif(writer, bytes.baseAddress, bytes.count)
        }
        try check(status)
    }

    /// Embeds an XMP packet. Throws `encodeFailed` if the packet is longer than ``maxXMPByteCount``.
    func writeXMP(_ packet: Data) throws(ImageError) {
        try Self.check(packet, "the XMP packet", maxByteCount: Self.maxXMPByteCount)
        let status = packet.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cjpeg_status in
            cjpeg_writer_write_xmp(writer, bytes.baseAddress, bytes.count)
        }
        try check(status)
    }

    /// Embeds an ICC profile.
    func writeProfile(_ profile: Data) throws(ImageError) {
        let status = profile.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cjpeg_status in
            cjpeg_writer_write_profile(writer, bytes.baseAddress, bytes.count)
        }
        try check(status, advice: "convert the image to sRGB, or set a profile that matches its pixels")
    }

    /// Writes the next rows of the picture. `pixels` contains the whole picture, and `rows` the numbers of the rows to
    /// write.
    func write(_ rows: Range<Int>, of pixels: PixelBuffer) throws(ImageError) {
        let status = pixels.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> cjpeg_status in
            let first = UnsafeRawBufferPointer(rebasing: bytes[(rows.lowerBound * pixels.bytesPerRow)...])
            return cjpeg_writer_write_rows(writer, first.baseAddress, pixels.bytesPerRow, rows.count)
        }
        try check(status)
    }

    /// Ends the file and returns its bytes. Checks the job often, because most of the work may happen here.
    func finish(job: Job) throws(ImageError) -> Data {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let status = withUnsafePointer(to: job) { (job: UnsafePointer<Job>) -> cjpeg_status in
            cjpeg_writer_finish(writer, { JPEGWriter.shouldStop($0) }, job, &bytes, &count)
        }
        if status == CJPEG_STOPPED { try job.check() }
        try check(status)
        guard let bytes else { return Data() }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    /// Returns whether a job was cancelled or has timed out. `job` is the address of the ``Job``.
    private static func shouldStop(_ job: UnsafeRawPointer?) -> Bool {
        guard let job else { return false }
        do throws(ImageError) {
            try job.assumingMemoryBound(to: Job.self).pointee.check()
            return false
        } catch {
            return true
        }
    }

    private static func check(_ block: Data, _ name: String, maxByteCount: Int) throws(ImageError) {
        guard block.count > maxByteCount else { return }
        throw ImageError(
            .encodeFailed, stage: .encode,
            message: "cannot be written as JPEG: \(name) has \(block.count) bytes, the maximum is \(maxByteCount)",
            advice: "write less metadata (`metadataPolicy`)")
    }

    private func check(_ status: cjpeg_status, advice: String = "write another format") throws(ImageError) {
        guard status != CJPEG_OK else { return }
        guard status != CJPEG_OUT_OF_MEMORY else {
            throw ImageError(
                .outOfMemory, stage: .encode, message: "not enough memory for the JPEG",
                advice: "encode fewer images at once, or raise the process's memory limit")
        }
        let text = String(cString: cjpeg_writer_message(writer))
        throw ImageError(
            .encodeFailed, stage: .encode, message: "cannot be written as JPEG; libjpeg-turbo says '\(text)'",
            advice: advice)
    }
}
#endif
