import CalotypeStandard

/// A size and a shape in which every picture is wanted.
struct Variant: Sendable {
    /// What it is called in the table.
    let name: String
    /// The room for it on the contact sheet: it fills it, or lies within.
    let room: PixelSize
    /// How it is asked for.
    let context: ImageContext

    /// All of them, as high as each other, so that they make a row.
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
