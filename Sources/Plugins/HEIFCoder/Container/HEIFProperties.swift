#if HEIF
import Calotype

/// The properties of an item: all transformations, and the first property of each other kind.
///
/// Source: ISO/IEC 23008-12:2022, section 6.5.
struct HEIFProperties {
    /// The size in pixels before all transformations (`ispe`); nil if the item does not state it.
    private(set) var size: PixelSize?
    /// The description of the colors (`colr` with the type `nclx`); nil if there is none.
    private(set) var colors: ColorDescription?
    /// The range of the ICC profile in the file (`colr` with the type `prof` or `rICC`); nil if there is none.
    private(set) var profile: Range<Int>?
    /// The box with the configuration of the stream's decoder (`hvcC` or `av1C`); nil if there is none.
    private(set) var configuration: HEIFBox?
    /// The text that names the purpose of an auxiliary picture (`auxC`); nil for other items.
    private(set) var auxiliaryType: String?
    /// The maximum luminance of the picture in candelas per square meter (`clli`); nil if unknown.
    private(set) var maxLight: Int?
    /// The cropping, rotation and mirroring, in order of application.
    private(set) var transformations: [HEIFTransformation] = []
    /// The type of the first essential property that the coder does not support; nil if there is none.
    private(set) var unknown: FourCC?

    /// The types of properties, in addition to colors and transformations, that the coder accepts even if they are
    /// essential. The coder does not read all of these properties; the others do not change pixels.
    private static let understood: Set<FourCC> = [
        "ispe", "hvcC", "av1C", "auxC", "clli", "pixi", "pasp", "mdcv", "cclv", "amve", "a1lx", "rloc", "udes",
    ]

    /// The maximum length of the text that names the purpose of an auxiliary picture, in bytes.
    private static let maxTypeByteCount = 64

    /// Reads the properties of an item. Throws `badData` if a property is damaged or does not exist.
    init(of item: HEIFItem, in container: HEIFContainer) throws(ImageError) {
        for (box, isEssential) in try container.properties(of: item) {
            var cursor = HEIFCursor(box, of: container.file)
            switch box.type {
            case "ispe" where size == nil:
                _ = try cursor.versionAndFlags()
                size = PixelSize(try cursor.number(bytes: 4), try cursor.number(bytes: 4))
            case "colr": try readColors(&cursor)
            case "hvcC" where configuration == nil, "av1C" where configuration == nil: configuration = box
            case "auxC" where auxiliaryType == nil:
                _ = try cursor.versionAndFlags()
                auxiliaryType = cursor.text(maxByteCount: Self.maxTypeByteCount)
            case "clli" where maxLight == nil:
                let light = try cursor.number(bytes: 2)
                // 0 means unknown. Source: ITU-T H.274, section 8.17.3.
                maxLight = light == 0 ? nil : light
            case "irot": transformations.append(.rotation(quarters: try cursor.number(bytes: 1) & 3))
            case "imir": transformations.append(.mirror(swapsSides: try cursor.number(bytes: 1) & 1 == 1))
            case "clap": transformations.append(.crop(try CleanAperture(&cursor)))
            default:
                if isEssential, !Self.understood.contains(box.type) { unknown = unknown ?? box.type }
            }
        }
    }

    /// Returns the properties with missing colors, profile and maximum luminance taken from another item.
    /// - Parameter original: The properties of the item that an identity item shows, or of the first tile of a grid.
    func completed(by original: HEIFProperties) -> HEIFProperties {
        var completed = self
        completed.colors = colors ?? original.colors
        completed.profile = profile ?? original.profile
        completed.maxLight = maxLight ?? original.maxLight
        return completed
    }

    private mutating func readColors(_ cursor: inout HEIFCursor) throws(ImageError) {
        switch try cursor.fourCC() {
        case "nclx":
            let numbers = (
                try cursor.number(bytes: 2), try cursor.number(bytes: 2), try cursor.number(bytes: 2),
                try cursor.number(bytes: 1)
            )
            colors =
                colors
                ?? ColorDescription(
                    primaries: numbers.0, transfer: numbers.1, matrix: numbers.2, isFullRange: numbers.3 & 0x80 != 0)
        case "prof", "rICC": profile = profile ?? cursor.rest
        // Other kinds are ignored. Another description may follow, or the stream may contain one.
        default: break
        }
    }
}
#endif
