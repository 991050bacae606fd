/// An image in the pipeline: decoded, perhaps transformed, with its original and its steps.
struct PipelineOutput: Sendable {
    var image: Image
    /// The decoded original, before any transformer.
    let decoded: Image
    /// The original that the image was made of; nil if the variant itself came from a cache.
    let original: Original?
    let source: ImageResponse.Source
    /// The decoded image's share of the images that are not delivered and stored yet.
    let reservation: Backlog.Reservation
    /// The reserved memory of the result of the last transformer; nil if there is none.
    var transformedReservation: Backlog.Reservation?
    var steps: [ImageMetrics.Step]
    /// The expiration of the entry that the image was read from or made of, in seconds since 1970; nil for never.
    var expiration: Double?
    /// The store of the original, if the decode has begun one.
    var originalStore: StoreTask?
    /// The stores of this image.
    var stores = SharedStores()
}
