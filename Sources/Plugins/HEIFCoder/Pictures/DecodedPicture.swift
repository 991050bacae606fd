#if HEIF
import CHEIF
import Calotype

/// A stream that libheif has decoded into planes of samples. Use an instance on one thread at a time.
final class DecodedPicture {
    private let image: OpaquePointer
    /// The planes of samples, in this order: Y alone, or Y, Cb and Cr, or green, blue and red. They are valid as long
    /// as this object exists.
    let planes: [SamplePlane]
    let bitDepth: Int

    /// Decodes a stream. Blocks the thread.
    ///
    /// Throws `badData` if the stream is damaged, `outOfMemory`, and the errors of the job. The job is checked only
    /// before and after decoding, because libheif cannot be stopped.
    init(_ stream: PictureStream, job: Job) throws {
        try job.check()
        image = try stream.file.withUnsafeBytes { (file: UnsafeRawBufferPointer) throws -> OpaquePointer in
            try Self.decode(file, stream.header.codedSize, job: job)
        }
        // Older versions of libheif returned red, green and blue for every color picture.
        let channels =
            heif_image_has_channel(image, heif_channel_Y) != 0
            ? [heif_channel_Y, heif_channel_Cb, heif_channel_Cr] : [heif_channel_G, heif_channel_B, heif_channel_R]
        planes = channels.compactMap { [image] in SamplePlane($0, of: image) }
        bitDepth = Int(heif_image_get_bits_per_pixel_range(image, channels[0]))
        guard let first = planes.first, first.size == stream.header.size, bitDepth == stream.header.bitDepth,
            planes.count == (stream.header.isGray ? 1 : 3), planes.allSatisfy({ $0.covers(first.size) }),
            planes.count == 1 || planes[1].size == planes[2].size
        else { throw ImageError.damagedHEIF("the picture in its stream does not match the header of the stream") }
    }

    deinit { heif_image_release(image) }

    private static func decode(_ file: UnsafeRawBufferPointer, _ size: PixelSize, job: Job) throws -> OpaquePointer {
        guard let context = heif_context_alloc() else { throw ImageError.noMemoryForHEIF(.decode) }
        defer { heif_context_free(context) }
        cheif_limit_picture(context, UInt64(size.area))
        heif_context_set_maximum_image_size_limit(context, Int32(clamping: max(size.width, size.height) + 1))
        // libheif's threads decode several tiles, but tiles are decoded one at a time here.
        heif_context_set_max_decoding_threads(context, 0)
        try check(heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil))
        var handle: OpaquePointer?
        try check(heif_context_get_primary_image_handle(context, &handle))
        defer { heif_image_handle_release(handle) }
        guard let options = heif_decoding_options_alloc() else { throw ImageError.noMemoryForHEIF(.decode) }
        defer { heif_decoding_options_free(options) }
        options.pointee.ignore_transformations = 1
        var image: OpaquePointer?
        var numbers = HEIFInput.colors(isIdentity: true)
        let outcome = withUnsafeMutablePointer(to: &numbers) { numbers in
            cheif_keep_numbers(options, numbers)
            return heif_decode_image(handle, &image, heif_colorspace_undefined, heif_chroma_undefined, options)
        }
        do {
            try job.check()
            try check(outcome)
        } catch {
            if let image { heif_image_release(image) }
            throw error
        }
        guard let image else { throw ImageError.damagedHEIF("its stream contains no picture") }
        return image
    }

    private static func check(_ error: heif_error) throws(ImageError) {
        guard error.code == heif_error_Ok else { throw .readingHEIF(error) }
    }
}
#endif
