/// The services that a transformer may use while it works.
public struct TransformContext: Sendable {
    /// Carries cancelling and the deadline: call `job.check()` once for each row in long work.
    public let job: Job
    /// The values in force: a transformer reads its own keys here.
    public let values: ResolvedContext

    /// A context; nothing is set and nothing is cancelled unless given.
    public init(job: Job = Job(), values: ResolvedContext = .builtIn) {
        self.job = job
        self.values = values
    }

    /// Throws `limitExceeded` when the request does not accept an image of this size: to be called before memory is
    /// taken for it.
    public func check(_ size: PixelSize) throws(ImageError) {
        try DecodeLimits(values).check(size, stage: .transform)
    }
}
