#if HEIF
import Calotype

/// A picture as it is shown: with its alpha and colors, cropped and turned.
struct HEIFView {
    let picture: HEIFPicture
    /// The picture whose luma is the alpha; nil if all is opaque.
    let alpha: HEIFPicture?
    /// Whether the colors have been multiplied by the alpha.
    let isPremultiplied: Bool
    /// The part that is shown, and its orientation.
    let placement: HEIFPlacement
    let colors: ColorDescription
    let matrix: ColorMatrix
    /// The transfer function of levels with light beyond white; nil for other pictures. It goes before a profile, which
    /// cannot describe it.
    var transfer: HDRTransfer? { HDRTransfer(codePoint: colors.transfer) }

    /// The types of auxiliary pictures that are the alpha of another one.
    private static let alphaTypes = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]

    /// The most auxiliary pictures that are looked at.
    private static let maxAuxiliaryCount = 16

    /// Throws `badData` where the picture is damaged or of a kind that is not read.
    /// - Parameter number: The number of its item.
    init(_ number: Int, in container: HEIFContainer) throws(ImageError) {
        picture = try HEIFPicture(number, in: container)
        placement = try HEIFPlacement(picture.transformations, of: picture.size)
        colors = picture.properties.colors ?? picture.header.colors ?? ColorDescription()
        var described = colors
        if picture.header.isGray { described.matrix = ColorDescription.unspecified }
        guard let matrix = ColorMatrix(described, bitDepth: picture.header.bitDepth) else {
            throw .unreadableHEIF("its colors are stored by the matrix \(colors.matrix) of ITU-T H.273")
        }
        self.matrix = matrix
        let alphaNumber = Self.alpha(of: number, in: container)
        alpha = try alphaNumber.map { (number: Int) throws(ImageError) in try HEIFPicture(number, in: container) }
        isPremultiplied = alphaNumber.map { container.targets(of: number, "prem").contains($0) } ?? false
    }

    var size: PixelSize { placement.region.size }

    /// Whether a part of the picture is not shown.
    var isCropped: Bool { placement.region.size != picture.size }

    /// Returns the number of the first item that says that it is the alpha of a picture.
    private static func alpha(of number: Int, in container: HEIFContainer) -> Int? {
        for number in container.sources(of: number, "auxl").prefix(maxAuxiliaryCount) {
            guard let item = container.items[number] else { continue }
            // Damage to a picture that nobody needs does no harm.
            guard let type = (try? HEIFProperties(of: item, in: container))?.auxiliaryType else { continue }
            if alphaTypes.contains(type) { return number }
        }
        return nil
    }
}
#endif
