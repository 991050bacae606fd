#if HEIF
import CHEIF
import Calotype

/// A file to which pictures are added with libheif's encoder. Use an instance on one thread at a time.
final class HEIFWriter {
    private let context: OpaquePointer
    private let encoder: OpaquePointer
    private var handle: OpaquePointer?

    /// Creates a file without pictures, and its encoder. Throws `encodeFailed` if libheif does not support the codec or
    /// the settings, and `outOfMemory` if an allocation fails.
    /// - Parameter quality: The quality of lossy pictures, 0...1.
    init(_ codec: HEIFCodec, _ settings: HEIFOptions, quality: Double) throws(ImageError) {
        guard let context = heif_context_alloc() else { throw .noMemoryForHEIF(.encode) }
        var encoder: OpaquePointer?
        let outcome = heif_context_get_encoder_for_format(context, codec.compression, &encoder)
        guard outcome.code == heif_error_Ok, let encoder else {
            // The text of the error belongs to the context.
            let error = ImageError.writingHEIF(outcome)
            if let encoder { heif_encoder_release(encoder) }
            heif_context_free(context)
            throw error
        }
        (self.context, self.encoder) = (context, encoder)
        try Self.check(heif_encoder_set_lossy_quality(encoder, Int32((quality * 100).rounded())))
        try Self.check(heif_encoder_set_lossless(encoder, settings.lossless ? 1 : 0))
        let chroma = settings.lossless ? .full : settings.chroma
        try set("chroma", to: chroma.number)
        if let speed = settings.speed { try set(codec.speedParameter, to: codec.speedValue(speed)) }
    }

    deinit {
        if let handle { heif_image_handle_release(handle) }
        heif_encoder_release(encoder)
        heif_context_free(context)
    }

    /// Encodes the primary picture and adds it to the file. Blocks the thread.
    func add(_ input: HEIFInput) throws(ImageError) {
        handle = try encode(input)
    }

    /// Encodes a lossy thumbnail and adds it to the file. Call this after ``add(_:)``. Blocks the thread.
    func addThumbnail(_ input: HEIFInput) throws(ImageError) {
        try Self.check(heif_encoder_set_lossless(encoder, 0))
        let thumbnail = try encode(input)
        defer { heif_image_handle_release(thumbnail) }
        // In all versions of libheif up to 1.21, the order of the two pictures is the reverse of the documented one.
        try Self.check(heif_context_assign_thumbnail(context, thumbnail, handle))
    }

    private func encode(_ input: HEIFInput) throws(ImageError) -> OpaquePointer? {
        guard let options = heif_encoding_options_alloc() else { throw .noMemoryForHEIF(.encode) }
        defer { heif_encoding_options_free(options) }
        var (colors, made) = (input.colors, OpaquePointer?.none)
        // The matrix is written in addition to a profile; otherwise a reader must find it in the stream.
        options.pointee.save_two_colr_boxes_when_ICC_and_nclx_available = 1
        options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
        try Self.check(
            withUnsafeMutablePointer(to: &colors) { colors in
                options.pointee.output_nclx_profile = colors
                return heif_context_encode_image(context, input.image, encoder, options, &made)
            })
        return made
    }

    func addEXIF(_ block: Data) throws {
        try block.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            try Self.check(heif_context_add_exif_metadata(context, handle, bytes.baseAddress, Int32(bytes.count)))
        }
    }

    func addXMP(_ packet: Data) throws {
        try packet.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
            try Self.check(heif_context_add_XMP_metadata(context, handle, bytes.baseAddress, Int32(bytes.count)))
        }
    }

    /// Returns the bytes of the file.
    func file() throws(ImageError) -> Data {
        var file = Data()
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, bytes, count, user in
            if let bytes { user!.assumingMemoryBound(to: Data.self).pointee += Data(bytes: bytes, count: count) }
            return cheif_no_error()
        }
        try Self.check(withUnsafeMutablePointer(to: &file) { heif_context_write(context, &writer, $0) })
        return file
    }

    private func set(_ name: String, to value: String) throws(ImageError) {
        try Self.check(heif_encoder_set_parameter(encoder, name, value))
    }

    static func check(_ error: heif_error) throws(ImageError) {
        guard error.code == heif_error_Ok else { throw .writingHEIF(error) }
    }
}

extension HEIFOptions.Chroma {
    /// The name of the subsampling in libheif, such as "420".
    fileprivate var number: String { rawValue.filter { $0 != ":" } }
}

extension HEIFCodec {
    var compression: heif_compression_format {
        switch self {
        case .hevc: heif_compression_HEVC
        case .av1: heif_compression_AV1
        }
    }

    /// The name of the encoder's parameter that sets the speed.
    fileprivate var speedParameter: String {
        switch self {
        case .hevc: "preset"
        case .av1: "speed"
        }
    }

    /// The names of libx265's presets, from the slowest to the fastest.
    private static let presets = [
        "placebo", "veryslow", "slower", "slow", "medium", "fast", "faster", "veryfast", "superfast", "ultrafast",
    ]

    /// Returns the value of the encoder's speed parameter for a speed. Clamps the speed to 0...9 first.
    fileprivate func speedValue(_ speed: Int) -> String {
        let speed = min(max(speed, HEIFOptions.speeds.lowerBound), HEIFOptions.speeds.upperBound)
        return self == .hevc ? Self.presets[speed] : "\(speed)"
    }
}
#endif
