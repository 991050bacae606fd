#if HEIF
import Calotype

/// A parsed HEIF file: its properties, its picture and its thumbnails.
struct HEIFFile {
    let info: ImageInfo
    let view: HEIFView
    /// The thumbnails with the same shape, orientation, bit depth and colors as the picture. Empty if the full size is
    /// requested, or if the picture has alpha or is cropped.
    let thumbnails: [HEIFView]

    /// The maximum number of thumbnails that are examined.
    private static let maxThumbnailCount = 8

    /// Parses a file with a HEIF signature. Throws `badData` if the file is damaged or of an unsupported kind, and
    /// `limitExceeded` if a limit is exceeded.
    init(_ file: UnsafeRawBufferPointer, options: DecodeOptions) throws(ImageError) {
        let container = try HEIFContainer(file)
        guard let primary = container.primary else {
            throw .damagedHEIF("it does not name its primary picture")
        }
        let view = try HEIFView(primary, in: container)
        try view.picture.checkLimits(options)
        try view.alpha?.checkLimits(options)
        let header = view.picture.header
        var info = ImageInfo(
            format: ImageFormat.avif.matches(RawSpan(_unsafeBytes: file)) ? .avif : .heic, pixelSize: view.size,
            orientation: view.placement.orientation,
            hasAlpha: view.alpha != nil, bitDepth: header.bitDepth,
            colorModel: header.isGray ? .gray : view.colors.matrix == 0 ? .rgb : .yCbCr)
        info.hasHighDynamicRange = view.transfer != nil
        info.profile = view.colors.profile(isGray: header.isGray, keepsLight: options.highDynamicRange)
        if let range = view.picture.properties.profile {
            let maxByteCount = options.context[.maxProfileBytes]
            guard range.count <= maxByteCount else {
                throw .beyondLimit("the color profile has \(range.count) bytes", maxByteCount, key: "maxProfileBytes")
            }
            info.hasEmbeddedProfile = true
            info.isProfileDamaged = range.isEmpty
            if view.transfer == nil { info.profile = range.isEmpty ? .sRGB : .icc(Data(file[range])) }
        }
        if options.keepsMetadata {
            info.metadata = try HEIFMetadata(of: primary, in: container, options: options).blocks
        }
        var thumbnails: [HEIFView] = []
        // A thumbnail might show parts that the crop of the picture hides.
        if options.targetSize(of: info) != info.pixelSize, view.alpha == nil, !view.isCropped {
            for number in container.sources(of: primary, "thmb").prefix(Self.maxThumbnailCount) {
                // A thumbnail is ignored if it is damaged, or if it has at least as many coded pixels as the picture.
                guard let thumbnail = try? HEIFView(number, in: container), thumbnail.alpha == nil,
                    thumbnail.size.width < view.size.width, thumbnail.size.height < view.size.height,
                    thumbnail.picture.codedPixelCount < view.picture.codedPixelCount,
                    Self.isLike(thumbnail, view, in: file)
                else { continue }
                thumbnails.append(thumbnail)
            }
        }
        (self.info, self.view, self.thumbnails) = (info, view, thumbnails)
    }

    /// Returns whether a thumbnail has the same shape, orientation, bit depth and colors as a picture.
    private static func isLike(_ one: HEIFView, _ other: HEIFView, in file: UnsafeRawBufferPointer) -> Bool {
        func profile(_ view: HEIFView) -> ColorProfile {
            let properties = view.picture.properties
            return properties.profile.map { .icc(Data(file[$0])) }
                ?? view.colors.profile(isGray: view.picture.header.isGray, keepsLight: true)
        }
        let height = Double(one.size.width) * Double(other.size.height) / Double(other.size.width)
        return one.placement.orientation == other.placement.orientation
            // Encoders with chroma subsampling make sides even.
            && abs(height - Double(one.size.height)) < 2
            && one.picture.header.isGray == other.picture.header.isGray
            && (one.transfer == nil || one.picture.properties.maxLight == other.picture.properties.maxLight)
            && one.picture.header.bitDepth == other.picture.header.bitDepth
            && profile(one) == profile(other)
    }
}
#endif
