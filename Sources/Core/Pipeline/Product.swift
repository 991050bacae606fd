/// An image on its way: decoded, perhaps transformed, with what led to it.
struct Product: Sendable {
    var image: Image
    /// What it was made of; nil when the variant itself came from a cache.
    let original: Original?
    let source: ImageResponse.Source
    var steps: [ImageMetrics.Step]
    /// For the stores of this very image.
    var claims: Claims
}
