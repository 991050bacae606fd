#if HEIF
import Calotype

/// A picture as it is shown: with alpha, colors, cropping and orientation.
struct HEIFView {
    let picture: HEIFPicture
    /// The picture whose luma is the alpha; nil if the picture is opaque.
    let alpha: HEIFPicture?
    /// Whether the colors are premultiplied by the alpha.
    let isPremultiplied: Bool
    /// The visible part of the picture, and its orientation.
    let placement: HEIFPlacement
    let colors: ColorDescription
    let matrix: ColorMatrix
    /// The transfer function of a picture with a high dynamic range; nil for other pictures. If there is a transfer
    /// function, an ICC profile is ignored, because it cannot describe such a function.
    var transfer: HDRTransfer? { HDRTransfer(codePoint: colors.transfer) }

    /// The types of auxiliary pictures that contain alpha.
    private static let alphaTypes = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]

    /// The maximum number of auxiliary pictures that are searched for alpha.
    private static let maxAuxiliaryCount = 16

    /// Creates the view of the item `number`. Throws `badData` if the picture is damaged or of an unsupported kind.
    init(_ number: Int, in container: HEIFContainer) throws(ImageError) {
        picture = try HEIFPicture(number, in: container)
        placement = try HEIFPlacement(picture.transformations, of: picture.size)
        colors = picture.properties.colors ?? picture.header.colors ?? ColorDescription()
        var described = colors
        if picture.header.isGray { described.matrix = ColorDescription.unspecified }
        guard let matrix = ColorMatrix(described, bitDepth: picture.header.bitDepth) else {
            throw .unreadableHEIF("its colors use the matrix \(colors.matrix) of ITU-T H.273")
        }
        self.matrix = matrix
        let alphaNumber = Self.alpha(of: number, in: container)
        alpha = try alphaNumber.map { (number: Int) throws(ImageError) in try HEIFPicture(number, in: container) }
        isPremultiplied = alphaNumber.map { container.targets(of: number, "prem").contains($0) } ?? false
    }

    var size: PixelSize { placement.region.size }

    /// Whether only a part of the picture is visible.
    var isCropped: Bool { placement.region.size != picture.size }

    /// Returns the number of the first item that contains alpha for the item `number`, or nil if there is none.
    private static func alpha(of number: Int, in container: HEIFContainer) -> Int? {
        for number in container.sources(of: number, "auxl").prefix(maxAuxiliaryCount) {
            guard let item = container.items[number] else { continue }
            // Damage to unused pictures does not matter.
            guard let type = (try? HEIFProperties(of: item, in: container))?.auxiliaryType else { continue }
            if alphaTypes.contains(type) { return number }
        }
        return nil
    }
}
#endif
