public import Calotype

/// A transformer that keeps a part of a picture.
public struct CropTransformer: RecipeTransformer {
    /// The part to keep.
    public var area: CropArea
    /// The point of the picture that stays in view, if the area is a size or an aspect ratio.
    public var anchor: Anchor

    /// Creates a transformer that crops images.
    /// - Parameters:
    ///   - area: The part to keep. A region that lies outside the picture is an error.
    ///   - anchor: The point of the picture that stays in view, if `area` is a size or an aspect ratio. Default:
    ///     `.center`.
    public init(_ area: CropArea, anchor: Anchor = .center) {
        self.area = area
        self.anchor = anchor
    }

    public static let recipe = TransformerRecipe(
        "crop", defaults: CropTransformer(.size(PixelSize(1, 1))), summary: "Keeps a part of the picture.",
        parameters: [
            .required("area", \.area, summary: "The part to keep, in pixels."),
            .optional("anchor", \.anchor, summary: "What stays in view if the area is a size or a ratio."),
        ])

    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        guard let region = region(in: image.size) else {
            throw ImageError(
                .transformFailed, stage: .transform, component: Self.recipe.name,
                message: "the area \(area.contextText) lies outside the picture of \(image.size) pixels",
                advice: "choose an area within the picture")
        }
        return image.replacing(pixels: try image.pixels.cropped(to: region, job: context.job))
    }

    /// Returns the part to keep; nil if it lies outside the picture.
    func region(in whole: PixelSize) -> PixelRegion? {
        switch area {
        case .region(let region):
            return region.intersection(with: whole)
        case .size(let size):
            let part = PixelSize(width: min(size.width, whole.width), height: min(size.height, whole.height))
            return anchored(part, whole)
        case .aspectRatio(let width, let height):
            guard width > 0, height > 0 else { return nil }
            let ratio = Double(width) / Double(height)
            let (fullWidth, fullHeight) = (Double(whole.width), Double(whole.height))
            let part = PixelSize(
                width: max(1, Int(min(fullWidth, fullHeight * ratio).rounded())),
                height: max(1, Int(min(fullHeight, fullWidth / ratio).rounded())))
            return anchored(part, whole)
        }
    }

    private func anchored(_ size: PixelSize, _ whole: PixelSize) -> PixelRegion? {
        let (x, y) = anchor.origin(of: size, in: whole)
        return PixelRegion(x: x, y: y, size: size).intersection(with: whole)
    }
}

extension Transformer where Self == CropTransformer {
    /// Returns a transformer that keeps a rectangle. See ``CropTransformer``.
    public static func crop(x: Int, y: Int, width: Int, height: Int) -> CropTransformer {
        CropTransformer(.region(PixelRegion(x: x, y: y, size: PixelSize(width: width, height: height))))
    }

    /// Returns a transformer that keeps a part around an anchor. See ``CropTransformer``.
    public static func crop(to area: CropArea, anchor: Anchor = .center) -> CropTransformer {
        CropTransformer(area, anchor: anchor)
    }
}
