#if WEBP
import CWebP
import Calotype

/// A picture for libwebp's encoder. Its job can stop the encoder. Use an instance on one thread at a time.
final class WebPInput {
    let picture: UnsafeMutablePointer<WebPPicture>
    private let job: Job

    /// Copies pixels with 8 bits per channel. Throws `outOfMemory`.
    /// - Parameter keepsColors: Whether the encoder receives red, green and blue instead of luma and chroma.
    init(_ pixels: PixelBuffer, keepsColors: Bool, job: Job) throws(ImageError) {
        self.job = job
        picture = .allocate(capacity: 1)
        picture.initialize(to: WebPPicture())
        WebPPictureInit(picture)
        picture.pointee.width = Int32(pixels.width)
        picture.pointee.height = Int32(pixels.height)
        picture.pointee.use_argb = keepsColors ? 1 : 0
        let isTaken = pixels.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let take = pixels.isOpaque ? WebPPictureImportRGBX : WebPPictureImportRGBA
            return take(picture, base, Int32(pixels.bytesPerRow)) != 0
        }
        // The size was checked, so memory is the only possible reason.
        guard isTaken else { throw .noMemoryForWebP(.encode) }
        picture.pointee.user_data = Unmanaged.passUnretained(self).toOpaque()
        picture.pointee.progress_hook = { _, picture in
            let input = Unmanaged<WebPInput>.fromOpaque(picture!.pointee.user_data).takeUnretainedValue()
            do throws(ImageError) {
                try input.job.check()
                return 1
            } catch {
                return 0
            }
        }
    }

    deinit {
        WebPPictureFree(picture)
        picture.deallocate()
    }

    /// Encodes the picture as a still image. Throws `encodeFailed`, `outOfMemory`, and the errors of the job.
    func encoded(_ configuration: WebPConfig) throws(ImageError) -> Data {
        var configuration = configuration
        let writer = UnsafeMutablePointer<WebPMemoryWriter>.allocate(capacity: 1)
        WebPMemoryWriterInit(writer)
        defer {
            WebPMemoryWriterClear(writer)
            writer.deallocate()
        }
        picture.pointee.writer = WebPMemoryWrite
        picture.pointee.custom_ptr = UnsafeMutableRawPointer(writer)
        guard WebPEncode(&configuration, picture) != 0 else { throw failure() }
        return Data(bytes: writer.pointee.mem, count: writer.pointee.size)
    }

    /// Returns the error after libwebp has failed: that of a cancelled or timed-out job, and otherwise that of libwebp.
    func failure() -> ImageError {
        do throws(ImageError) {
            try job.check()
        } catch {
            return error
        }
        let code = picture.pointee.error_code
        if code == VP8_ENC_ERROR_OUT_OF_MEMORY || code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY {
            return .noMemoryForWebP(.encode)
        }
        return .unwritableWebP("libwebp reports error \(code.rawValue)", advice: "write another format")
    }
}
#endif
