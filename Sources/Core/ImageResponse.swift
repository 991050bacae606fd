/// The response to an image request: the image, where it came from, and how long the steps took.
public struct ImageResponse: Sendable {
    /// The places from which the image of a response can come.
    @nonexhaustive
    public enum Source: String, Sendable, Hashable {
        /// The decoded image was in memory.
        case memory
        /// The bytes of the variant or of the original were in a disk tier.
        case disk
        /// The image was loaded.
        case loader
        /// The image was in a cache, and its source confirmed that it is still valid.
        case revalidated
    }

    /// The request that this response answers.
    public let request: ImageRequest
    /// The image, decoded and transformed.
    public let image: Image
    /// The source of the image. For a variant that was made for this response, this is the source of the original.
    public let source: Source
    /// The bytes of the original, if the image is the original itself. For any other variant, such as a thumbnail, the
    /// value is nil.
    ///
    /// The value is also nil if the loader returned pixels instead of bytes. A response from memory has bytes only if
    /// the request sets `queryMemoryData` and the disk tier has the bytes.
    public let data: Data?
    /// The steps that led to the response, with their durations.
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
