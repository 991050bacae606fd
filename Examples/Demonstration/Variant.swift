import CalotypeStandard

/// A size and shape in which every picture is requested.
struct Variant: Sendable {
    /// The name of the variant in the table.
    let name: String
    /// The space for a picture on the contact sheet, in pixels.
    let room: PixelSize
    /// The context of the requests for this variant.
    let context: ImageContext

    /// All variants. Their spaces on the contact sheet have the same height, so that they form a row.
    static let all = [
        Variant(name: "thumbnail", room: PixelSize(320, 240), context: [.thumbnailPixelSize(320, 240)]),
        Variant(
            name: "square", room: PixelSize(240, 240),
            context: [.transformer(.resize(width: 240, height: 240, mode: .fill))]),
        Variant(
            name: "banner", room: PixelSize(560, 240),
            context: [.transformer(.resize(width: 560, height: 240, mode: .fill))]),
    ]
}
