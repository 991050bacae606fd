/// The services that a transformer may use while it works.
public struct TransformContext: Sendable {
    /// The job, with its cancellation and its deadline. In long work, call `job.check()` once for each row.
    public let job: Job
    /// The resolved context, from which a transformer reads its own keys.
    public let values: ResolvedContext

    /// Creates a context. By default, its job is not cancelled and has no deadline, and its values are the built-in
    /// defaults.
    public init(job: Job = Job(), values: ResolvedContext = .builtIn) {
        self.job = job
        self.values = values
    }

    /// Throws `limitExceeded` if the request does not accept an image of this size, and `badData` if the size has no
    /// pixels. Call it before allocating memory for the image.
    public func check(_ size: PixelSize) throws(ImageError) {
        try DecodeLimits(values).check(size, stage: .transform)
    }
}
