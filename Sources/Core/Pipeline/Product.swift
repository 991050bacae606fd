/// An image on its way: decoded, perhaps transformed, with what led to it.
struct Product: Sendable {
    var image: Image
    /// What the original decoded to, before any transformer.
    let decoded: Image
    /// What it was made of; nil when the variant itself came from a cache.
    let original: Original?
    let source: ImageResponse.Source
    /// The place of what was decoded among the pictures that are not delivered and stored yet.
    let share: Backlog.Share
    /// That of what the last transformer made of it; nil where there is none.
    var transformedShare: Backlog.Share?
    var steps: [ImageMetrics.Step]
    /// When the entry expires that it was read from or made of, in seconds since 1970; nil for never.
    var expiration: Double?
    /// The stores of this very image.
    var stores = SharedStores()
}
