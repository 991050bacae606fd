public import Calotype

/// A transformer that maps the colors of each pixel by a matrix.
public protocol ColorFilter: RecipeTransformer {
    /// The matrix for these parameters.
    var matrix: ColorMatrix { get }
}

extension ColorFilter {
    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        image.replacing(pixels: try matrix.applied(to: image.pixels, job: context.job))
    }
}
