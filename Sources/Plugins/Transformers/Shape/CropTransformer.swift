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
        var part = try region(of: image.size).bounds
        if isSearching {
            (part.x, part.y) = try anchor.origin(
                of: part.size, in: context.firstFrame ?? image.pixels, job: context.job)
        }
        return image.replacing(pixels: try image.pixels.cropped(to: part, job: context.job))
    }

    /// Whether the place of the part depends on the pixels.
    private var isSearching: Bool {
        if case .region = area { return false }
        return anchor.isSearched
    }
}

extension CropTransformer: RegionTransformer {
    /// The whole transformation, unless the anchor is looked for in the pixels.
    package var regionPart: CropTransformer? { isSearching ? nil : self }

    package var regionResampling: Resampling? { nil }

    package func region(of picture: PixelSize) throws(ImageError) -> ResampledRegion {
        guard let part = part(of: picture) else {
            throw ImageError(
                .transformFailed, stage: .transform, component: Self.recipe.name,
                message: "the area \(area.contextText) lies outside the picture of \(picture) pixels",
                advice: "choose an area within the picture")
        }
        return ResampledRegion(part)
    }

    /// Returns the part to keep; nil if it lies outside the picture. The center stands for an anchor that is looked
    /// for.
    private func part(of picture: PixelSize) -> PixelRegion? {
        switch area {
        case .region(let region):
            return region.intersection(with: picture)
        case .size(let size):
            return anchored(
                PixelSize(width: min(size.width, picture.width), height: min(size.height, picture.height)), in: picture)
        case .aspectRatio(let width, let height):
            guard width > 0, height > 0 else { return nil }
            let ratio = Double(width) / Double(height)
            let (fullWidth, fullHeight) = (Double(picture.width), Double(picture.height))
            let size = PixelSize(
                width: max(1, Int(min(fullWidth, fullHeight * ratio).rounded())),
                height: max(1, Int(min(fullHeight, fullWidth / ratio).rounded())))
            return anchored(size, in: picture)
        }
    }

    private func anchored(_ size: PixelSize, in picture: PixelSize) -> PixelRegion? {
        let (x, y) = anchor.origin(of: size, in: picture)
        return PixelRegion(x: x, y: y, size: size).intersection(with: picture)
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
