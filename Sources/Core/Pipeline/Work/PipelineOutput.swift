/// An image that the pipeline has decoded and perhaps transformed, with its original and the steps that made it.
struct PipelineOutput: Sendable {
    var image: Image
    /// The decoded original, before any transformer.
    let decoded: Image
    /// The original that the image was made from; nil if the variant itself came from a cache.
    let original: Original?
    let source: ImageResponse.Source
    /// The decoded image's reservation in ``Pipeline/unfinished``.
    let reservation: Backlog.Reservation
    /// The reservation of the last transformer's result in ``Pipeline/unfinished``; nil without transformers.
    var transformedReservation: Backlog.Reservation?
    var steps: [ImageMetrics.Step]
    /// The expiration of the image, in seconds since 1970; nil for never.
    var expiration: Double?
    /// The store operations that write this image to caches. All requests that receive this output share them.
    var stores = SharedStores()
}
