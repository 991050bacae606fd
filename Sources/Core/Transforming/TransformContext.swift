/// The services that a transformer may use while it works.
public struct TransformContext: Sendable {
    /// The job, with its cancellation and its deadline. In long work, call `job.check()` once for each row.
    public let job: Job
    /// The resolved context, from which a transformer reads its own keys.
    public let values: ResolvedContext
    /// The first frame of the animation, upright, if the image is a later frame; nil for stills and for the first
    /// frame.
    ///
    /// All frames must be treated alike. A transformer that looks for something in a picture, such as its edges, looks
    /// in the first frame.
    public let firstFrame: PixelBuffer?

    /// Creates a context. By default, its job is not cancelled and has no deadline, its values are the built-in
    /// defaults, and the image is not a later frame of an animation.
    public init(job: Job = Job(), values: ResolvedContext = .builtIn, firstFrame: PixelBuffer? = nil) {
        self.job = job
        self.values = values
        self.firstFrame = firstFrame
    }

    /// Throws `limitExceeded` if the request does not accept an image of this size, and `badData` if the size has no
    /// pixels. Call it before allocating memory for the image.
    public func check(_ size: PixelSize) throws(ImageError) {
        try DecodeLimits(values).check(size, stage: .transform)
    }
}
