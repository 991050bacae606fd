/// The part of an image's metadata that is written beside its pixels.
///
/// With every policy, the file states the orientation of pixels that are not upright, because they would be shown
/// wrongly otherwise. If the pixels are upright, the EXIF block of the file states no other orientation.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable {
    /// Nothing except an orientation that is not upright. Without the color profile, the colors of a picture that is
    /// not in sRGB are misread.
    case strip
    /// The color profile. The default.
    case profile
    /// The color profile, and from EXIF only the names of the author and of the copyright holder. The place where the
    /// picture was taken is not written.
    case rights
    /// The color profile, EXIF and XMP, including the place where the picture was taken.
    ///
    /// In EXIF, the size becomes the written size, and the thumbnail is removed, because it shows the original picture.
    /// In XMP, `tiff:Orientation` becomes the written orientation; other statements about the pixels stay unchanged.
    case all

    /// Whether the color profile is written.
    var keepsProfile: Bool { self != .strip }

    /// Returns the part of an image's metadata that is written.
    func metadata(for image: Image) -> ImageMetadata {
        let orientation = image.attributes.orientation
        let known = image.attributes.metadata
        let block: Data? =
            switch self {
            case .strip, .profile: nil
            case .rights: known.exif.flatMap { EXIF.rights(of: $0) }
            case .all: known.exif.flatMap { EXIF.block($0, pixelSize: image.size) }
            }
        return ImageMetadata(
            exif: block.map { EXIF.block($0, orientedAs: orientation) }
                ?? (orientation == .up ? nil : EXIF.block(for: orientation)),
            xmp: self == .all ? known.xmp.map { XMP.packet($0, orientedAs: orientation) } : nil)
    }
}

extension MetadataPolicy: ContextValue {}
