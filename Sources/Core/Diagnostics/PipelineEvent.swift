/// Something that happened on the way of a request.
public struct PipelineEvent: Sendable {
    /// What became of the step.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// It was done.
        case succeeded
        /// It failed, and the requests that waited for it went on without it.
        case failed(ImageError)
        /// It failed, and with it the requests that waited for it.
        case stopped(ImageError)
    }

    /// The step.
    public var stage: ImageError.Stage
    /// The loader, coder, transformer or cache.
    public var component: String?
    /// The URL without credentials, or the cache key.
    public var subject: String
    /// How long it took.
    public var duration: Duration
    /// Bytes read, loaded, decoded or written; nil where none were.
    public var byteCount: Int?
    /// What the transfer was like, for loads over a network; nil for everything else.
    public var transfer: TransferMetrics?
    /// What became of it.
    public var outcome: Outcome

    /// An event.
    public init(
        stage: ImageError.Stage, component: String? = nil, subject: String, duration: Duration = .zero,
        byteCount: Int? = nil, transfer: TransferMetrics? = nil, outcome: Outcome = .succeeded
    ) {
        self.stage = stage
        self.component = component
        self.subject = subject
        self.duration = duration
        self.byteCount = byteCount
        self.transfer = transfer
        self.outcome = outcome
    }
}
