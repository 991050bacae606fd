/// An image, and where it came from.
public struct ImageResponse: Sendable {
    /// The sources of an image.
    @nonexhaustive
    public enum Source: String, Sendable, Hashable {
        /// Memory had it, decoded.
        case memory
        /// A disk tier had the variant's bytes or the original's.
        case disk
        /// The image was loaded.
        case loader
        /// The image was in a cache, and its source confirmed that it is still valid.
        case revalidated
    }

    /// The request that this answers.
    public let request: ImageRequest
    /// The image, decoded and transformed.
    public let image: Image
    /// The source of the image. For variants that were made: where their original came from.
    public let source: Source
    /// The bytes of the original, when the image is the original and was not in memory, or `queryMemoryData` asks for
    /// them; nil otherwise.
    public let data: Data?
    /// The steps that were done, and their durations.
    public let metrics: ImageMetrics

    init(
        request: ImageRequest, image: Image, source: Source, data: Data? = nil, metrics: ImageMetrics = ImageMetrics()
    ) {
        self.request = request
        self.image = image
        self.source = source
        self.data = data
        self.metrics = metrics
    }
}
