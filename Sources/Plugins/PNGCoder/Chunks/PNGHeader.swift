#if PNG
import CPNGShim
import Calotype

/// The chunks before the pixels of a file.
struct PNGHeader {
    /// The properties of the picture, as a still.
    var info: ImageInfo
    /// Whether all rows are read more than once.
    let isInterlaced: Bool
    /// The announcement of an animation; nil for a still.
    let animation: PNGAnimationControl?
    /// The start of the chunks of pixels.
    let pixelOffset: Int
    /// Whether an EXIF block stands before the pixels, also one that is too long.
    private let hasEXIF: Bool

    /// Reads it, with a reader of the bytes that has read nothing yet. EXIF that does not stand before the pixels is
    /// looked for behind them, and XMP in all of the file.
    ///
    /// Throws `badData` when it is damaged or incomplete, or has too many chunks, and `limitExceeded` for a profile
    /// that is too long, for metadata that are wanted and too long, and for more frames than allowed: before memory is
    /// taken for them.
    init(by reader: PNGReader, of bytes: PNGBytes, options: DecodeOptions) throws(ImageError) {
        bytes.seek(to: 0)
        self = try reader.readHeader(options)
        if let animation {
            let maxFrames = options.context[.maxFrames]
            guard animation.frameCount <= maxFrames else {
                throw ImageError.beyondLimit("has \(animation.frameCount) frames", maxFrames, key: "maxFrames")
            }
        }
        if !hasEXIF, let block = try PNGEXIF.block(behind: self, in: bytes, options: options) {
            try take(block.bytes, options: options)
        }
        if options.keepsMetadata {
            info.metadata.xmp = try PNGXMP.packet(
                in: bytes, frameCount: animation?.frameCount ?? 0,
                maxByteCount: options.context[.maxMetadataBytes], beside: info.metadata.byteCount)
        }
    }

    /// Reads it, with a reader of its own.
    init(of bytes: PNGBytes, options: DecodeOptions) throws(ImageError) {
        let reader = try PNGReader(bytes, byteCount: bytes.byteCount)
        self = try PNGHeader(by: reader, of: bytes, options: options)
    }

    /// The offset at which libpng goes on to read: it has seen which chunk comes.
    var endOffset: Int { pixelOffset + PNGChunkHeader.byteCount }

    /// To be used while the reader of the header is there.
    init(_ header: cpng_header, options: DecodeOptions) throws(ImageError) {
        let size = PixelSize(width: Int(header.width), height: Int(header.height))
        let color = PNGColor(header)
        info = ImageInfo(
            format: .png, pixelSize: size, hasAlpha: header.has_alpha, bitDepth: Int(header.bit_depth),
            colorModel: header.is_palette ? .palette : header.is_gray ? .gray : .rgb, profile: color.profile)
        info.hasEmbeddedProfile = header.profile != nil || header.is_profile_damaged
        info.isProfileDamaged = color.isProfileDamaged
        hasEXIF = header.exif != nil || header.is_exif_too_long
        isInterlaced = header.is_interlaced
        let frame = header.frame_control.map { Data(bytes: $0, count: PNGFrameControl.byteCount) }
        animation = header.animation_control.flatMap {
            PNGAnimationControl(
                Data(bytes: $0, count: PNGAnimationControl.byteCount), frame: frame, canvas: size)
        }
        pixelOffset = header.pixel_offset
        if let exif = header.exif {
            let block = UnsafeRawBufferPointer(start: exif, count: header.exif_length)
            try take(RawSpan(_unsafeBytes: block), options: options)
        }
    }

    /// Takes the orientation from an EXIF block, and keeps the block where metadata are wanted.
    private mutating func take(_ exif: RawSpan, options: DecodeOptions) throws(ImageError) {
        info.orientation = EXIF.orientation(of: exif)
        guard options.keepsMetadata else { return }
        let maxByteCount = options.context[.maxMetadataBytes]
        guard exif.byteCount <= maxByteCount else { throw .tooMuchMetadata(maxByteCount) }
        info.metadata.exif = exif.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Data in Data(bytes) }
    }

    /// Returns the layout of the rows of the default image.
    func layout(_ options: DecodeOptions) -> PixelLayout {
        // Colours that are converted are rounded once, behind the conversion; but not where that takes the memory of
        // two pictures, nor of frames, which are laid over each other.
        let isConverted = info.profile != .sRGB && options.convertsColors && !isInterlaced && animation == nil
        let isDeep = info.bitDepth == 16 && (options.nativeDepth || isConverted)
        return PixelLayout(
            size: info.pixelSize, format: isDeep ? .rgba16 : .rgba8, isOpaque: !info.hasAlpha,
            isGray: info.colorModel == .gray)
    }
}
#endif
