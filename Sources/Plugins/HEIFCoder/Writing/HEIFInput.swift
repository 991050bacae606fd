#if HEIF
import CHEIF
import Calotype

/// A picture that is passed to libheif's encoder. Use an instance on one thread at a time.
final class HEIFInput {
    let image: OpaquePointer
    /// The description of the colors as they will be stored.
    let colors: heif_color_profile_nclx

    /// Copies pixels into a picture for libheif. Throws `encodeFailed`, `outOfMemory` and the errors of the job.
    /// - Parameters:
    ///   - bitDepth: The number of bits of a sample: 8, 10 or 12.
    ///   - isLossless: Whether the picture will be encoded without loss.
    init(_ pixels: PixelBuffer, bitDepth: Int, isLossless: Bool, profile: ColorProfile, job: Job) throws {
        let isGray = pixels.isGray && pixels.isOpaque && profile.isForGray != false
        var image: OpaquePointer?
        let chroma =
            switch (isGray, bitDepth > 8, pixels.isOpaque) {
            case (true, _, _): heif_chroma_monochrome
            case (_, false, true): heif_chroma_interleaved_RGB
            case (_, false, false): heif_chroma_interleaved_RGBA
            case (_, true, true): heif_chroma_interleaved_RRGGBB_LE
            case (_, true, false): heif_chroma_interleaved_RRGGBBAA_LE
            }
        let size = (Int32(pixels.width), Int32(pixels.height))
        let space = isGray ? heif_colorspace_monochrome : heif_colorspace_RGB
        try HEIFWriter.check(heif_image_create(size.0, size.1, space, chroma, &image))
        guard let image else { throw ImageError.noMemoryForHEIF(.encode) }
        // All properties are initialized here, so that `deinit` releases the image if a later step throws.
        (self.image, colors) = (image, Self.colors(isIdentity: isLossless && !isGray, isSRGB: profile == .sRGB))
        let channel = isGray ? heif_channel_Y : heif_channel_interleaved
        try HEIFWriter.check(heif_image_add_plane(image, channel, size.0, size.1, Int32(bitDepth)))
        var bytesPerRow: Int32 = 0
        guard let base = heif_image_get_plane(image, channel, &bytesPerRow) else {
            throw ImageError.noMemoryForHEIF(.encode)
        }
        let channels = isGray ? 1 : pixels.isOpaque ? 3 : 4
        if bitDepth == 8 {
            let pixels = try pixels.converted(to: .rgba8, job: job)
            for y in 0..<pixels.height {
                try job.check()
                pixels.withRow(y) { (row: RawSpan) -> Void in
                    row.withUnsafeBytes { (row: UnsafeRawBufferPointer) -> Void in
                        let target = base + y * Int(bytesPerRow)
                        for x in 0..<pixels.width {
                            for channel in 0..<channels { target[x * channels + channel] = row[4 * x + channel] }
                        }
                    }
                }
            }
        } else {
            let most = Float((1 << bitDepth) - 1)
            for y in 0..<pixels.height {
                try job.check()
                pixels.withRow(y) { (row: RawSpan) -> Void in
                    let target = UnsafeMutableRawPointer(base + y * Int(bytesPerRow))
                    for x in 0..<pixels.width {
                        for channel in 0..<channels {
                            let level = Self.level(4 * x + channel, of: row, pixels.format)
                            target.storeBytes(
                                of: UInt16(level * most + 0.5).littleEndian, toByteOffset: 2 * (x * channels + channel),
                                as: UInt16.self)
                        }
                    }
                }
            }
        }
        // Older versions of libheif use this description. Newer versions use the one in the encoding options.
        try HEIFWriter.check(
            withUnsafePointer(to: colors) { heif_image_set_nclx_color_profile(image, $0) })
        if case .icc(let data) = profile {
            try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws -> Void in
                try HEIFWriter.check(
                    heif_image_set_raw_color_profile(image, "prof", bytes.baseAddress, bytes.count))
            }
        }
    }

    deinit { heif_image_release(image) }

    /// Returns libheif's description of the colors that a file stores.
    /// - Parameters:
    ///   - isIdentity: Whether red, green and blue are stored, instead of luma and chroma with the matrix of JPEG.
    ///   - isSRGB: Whether the colors are sRGB, instead of those of an ICC profile. Default: true.
    static func colors(isIdentity: Bool, isSRGB: Bool = true) -> heif_color_profile_nclx {
        var colors = heif_color_profile_nclx()
        colors.version = 1
        colors.color_primaries = isSRGB ? heif_color_primaries_ITU_R_BT_709_5 : heif_color_primaries_unspecified
        colors.transfer_characteristics =
            isSRGB ? heif_transfer_characteristic_IEC_61966_2_1 : heif_transfer_characteristic_unspecified
        colors.matrix_coefficients =
            isIdentity ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6
        colors.full_range_flag = 1
        return colors
    }

    /// Returns the level of a channel as a number from 0 to 1.
    /// - Parameter index: The index of the channel in the row, which has four channels per pixel.
    private static func level(_ index: Int, of row: RawSpan, _ format: PixelFormat) -> Float {
        switch format {
        case .rgba8: Float(row.unsafeLoad(fromByteOffset: index, as: UInt8.self)) / 255
        case .rgba16: Float(row.unsafeLoad(fromByteOffset: 2 * index, as: UInt16.self)) / 65_535
        case .rgbaFloat:
            // The order of comparisons turns NaN into 0.
            min(max(0, row.unsafeLoad(fromByteOffset: 4 * index, as: Float.self)), 1)
        }
    }
}
#endif
