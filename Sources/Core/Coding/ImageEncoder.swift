/// Writes images in one format. Called on the lane for transforming, from several threads at once.
public protocol ImageEncoder: Sendable {
    /// The whole file for `image`. Throws when the format cannot hold it, or as `job` says.
    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data
}
