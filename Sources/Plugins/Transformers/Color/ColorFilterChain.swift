import Calotype

/// Color filters that are applied in one pass.
///
/// Each row is mapped by one matrix after the other while it is in the processor's cache. The matrices are not
/// multiplied, because levels are limited and rounded after each of them.
struct ColorFilterChain: JoiningTransformer {
    private let filters: [any ColorFilter]

    init(_ filters: [any ColorFilter]) { self.filters = filters }

    /// The keys of the filters, joined by `|` as in a recipe.
    var key: String { filters.map(\.key).joined(separator: "|") }

    func transform(_ image: Image, context: TransformContext) throws -> Image {
        image.replacing(pixels: try filters.map(\.matrix).applied(to: image.pixels, job: context.job))
    }

    func joined(with next: any Transformer) -> (any Transformer)? {
        (next as? any ColorFilter).map { ColorFilterChain(filters + [$0]) }
    }
}
