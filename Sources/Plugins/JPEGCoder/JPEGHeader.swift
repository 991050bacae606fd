#if JPEG
import CJPEGShim
import Calotype

/// The properties of a JPEG, from the segments before its first scan.
struct JPEGHeader {
    let info: ImageInfo
    /// Whether the picture consists of several scans.
    let hasScans: Bool
    /// The memory for the coefficients of a picture with several scans, in bytes; 0 for other pictures.
    let coefficientByteCount: Int
    /// Whether the file is arithmetically coded. libjpeg can decode such a file only after all its bytes have arrived.
    let isArithmetic: Bool

    /// Creates the properties from the header of libjpeg's reader, and copies its data. The orientation is read even if
    /// `keepsMetadata` is false.
    init(_ header: cjpeg_header, keepsMetadata: Bool) {
        hasScans = header.has_scans
        coefficientByteCount = Int(clamping: header.coefficient_byte_count)
        isArithmetic = header.is_arithmetic
        var info = ImageInfo(
            format: .jpeg, pixelSize: PixelSize(width: Int(header.width), height: Int(header.height)), hasAlpha: false,
            colorModel: Self.colorModel(header.model))
        if let profile = header.profile {
            info.profile = .icc(Data(bytes: profile, count: header.profile_length))
        }
        info.hasEmbeddedProfile = header.profile != nil || header.is_profile_damaged
        info.isProfileDamaged = header.is_profile_damaged
        if let exif = header.exif {
            let block = UnsafeRawBufferPointer(start: exif, count: header.exif_length)
            info.orientation = EXIF.orientation(of: RawSpan(_unsafeBytes: block))
            if keepsMetadata, !block.isEmpty { info.metadata.exif = Data(bytes: exif, count: block.count) }
        }
        if let xmp = header.xmp, header.xmp_length > 0 {
            info.metadata.xmp = Data(bytes: xmp, count: header.xmp_length)
        }
        self.info = info
    }

    private static func colorModel(_ model: cjpeg_model) -> ImageInfo.ColorModel {
        switch model {
        case CJPEG_GRAY: .gray
        case CJPEG_RGB: .rgb
        case CJPEG_CMYK: .cmyk
        default: .yCbCr
        }
    }
}
#endif
