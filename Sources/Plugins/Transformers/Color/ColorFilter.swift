public import Calotype

/// A transformer that maps the colors of each pixel by a matrix. Several in a row are applied in one pass.
///
/// The matrix is the whole transformation: `transform` and `joined` follow from it, and must not be implemented.
public protocol ColorFilter: RecipeTransformer, JoiningTransformer {
    /// The matrix for these parameters.
    var matrix: ColorMatrix { get }
}

extension ColorFilter {
    public func transform(_ image: Image, context: TransformContext) throws -> Image {
        image.replacing(pixels: try [matrix].applied(to: image.pixels, job: context.job))
    }

    /// Returns a transformer that applies the matrices of two filters in one pass; nil if `next` is no filter.
    public func joined(with next: any Transformer) -> (any Transformer)? {
        ColorFilterChain([self]).joined(with: next)
    }
}
