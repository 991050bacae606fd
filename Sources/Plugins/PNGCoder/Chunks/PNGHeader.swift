#if PNG
import CPNGShim
import Calotype

/// The properties of a PNG file. They come from the chunks before the pixels, and from EXIF and XMP at any position.
struct PNGHeader {
    /// The properties of the file as a still image. For an animation, these are the properties of the default image.
    var info: ImageInfo
    /// Whether the picture is interlaced, so that its rows are read in several passes.
    let isInterlaced: Bool
    /// The announcement of an animation; nil for a still image.
    let animation: PNGAnimationControl?
    /// The offset in the file of the first chunk of pixels.
    let pixelOffset: Int
    /// The number of chunks shorter than 1 KiB, up to the first chunk of pixels. See ``PNGChunkBudget``.
    let smallChunkCount: Int
    /// Whether an EXIF block precedes the pixels. Also true if the block was dropped because it is too long.
    private let hasEXIF: Bool

    /// Reads the properties of a file with a reader that has not read anything yet.
    ///
    /// Throws `badData` if the header is damaged or incomplete, or if there are too many chunks. Throws `limitExceeded`
    /// if a profile or requested metadata are too long, or if there are too many frames.
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

    /// Reads the properties of a file with a temporary reader.
    init(of bytes: PNGBytes, options: DecodeOptions) throws(ImageError) {
        let reader = try PNGReader(bytes, byteCount: bytes.byteCount)
        self = try PNGHeader(by: reader, of: bytes, options: options)
    }

    /// The offset in the file at which libpng's reader continues after it has read the header.
    var endOffset: Int { pixelOffset + PNGChunkHeader.byteCount }

    /// Creates the properties from a header of the C reader in `CPNGShim`. That reader must still exist, because it
    /// owns the memory to which the header points.
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
        smallChunkCount = header.small_chunk_count
        if let exif = header.exif {
            let block = UnsafeRawBufferPointer(start: exif, count: header.exif_length)
            try take(RawSpan(_unsafeBytes: block), options: options)
        }
    }

    /// Sets the orientation from an EXIF block, and keeps the block if metadata are requested. Throws `limitExceeded`
    /// if a kept block is longer than `maxMetadataBytes`.
    private mutating func take(_ exif: RawSpan, options: DecodeOptions) throws(ImageError) {
        info.orientation = EXIF.orientation(of: exif)
        guard options.keepsMetadata else { return }
        let maxByteCount = options.context[.maxMetadataBytes]
        guard exif.byteCount <= maxByteCount else { throw .tooMuchMetadata(maxByteCount) }
        info.metadata.exif = exif.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Data in Data(bytes) }
    }

    /// Returns the layout of the rows of the default image.
    func layout(_ options: DecodeOptions) -> PixelLayout {
        // A 16-bit picture whose colors will be converted keeps its depth, so that colors are rounded only once, after
        // the conversion. Two kinds are excluded: interlaced pictures, which would need memory for two pictures, and
        // animations, whose frames are composed.
        let isConverted = info.profile != .sRGB && options.convertsColors && !isInterlaced && animation == nil
        let isDeep = info.bitDepth == 16 && (options.nativeDepth || isConverted)
        return PixelLayout(
            size: info.pixelSize, format: isDeep ? .rgba16 : .rgba8, isOpaque: !info.hasAlpha,
            isGray: info.colorModel == .gray)
    }
}
#endif
