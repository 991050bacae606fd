/// Something that happened on the way of a request.
public struct PipelineEvent: Sendable {
    /// The kind of an event.
    @nonexhaustive
    public enum Kind: Sendable {
        /// The step begins. Its end is told with the same ``PipelineEvent/id``.
        case began
        /// The step is over: it was done.
        case succeeded
        /// The step is over: what was looked for is not there.
        case missed
        /// The step is over: it failed, or it was cancelled. Whether a request failed with it the request's own end
        /// says.
        case stopped(ImageError)
        /// The step is over for now: there was no memory left for it. It begins anew, as another one.
        case postponed
        /// Something failed, and the requests that it concerns go on without it. The end of no step.
        case failed(ImageError)
        /// The request waits for work of that stage which another one began. What becomes of it is told to that one's
        /// listeners.
        case joined
        /// Some events of this manager were lost because too many waited for the listener: see ``EventListener``. The
        /// event ends no step, has the stage ``ImageError/Stage/telling``, and has no subject.
        case lost(Int)
    }

    /// The kind of the event.
    public var kind: Kind
    /// The step; ``ImageError/Stage/request`` for the request as a whole.
    public var stage: ImageError.Stage
    /// The same at the beginning and at the end of one step, and of no other of the manager; nil for what is neither.
    public var id: UInt64?
    /// The ``id`` of the request that began the step; nil for what no request waits for, as stores.
    public var requestID: UInt64?
    /// The loader, coder, transformer or cache; nil if it is known only at the end, and for requests.
    public var component: String?
    /// The tier of the cache that was asked or written to; nil for what concerns none. Memory is asked and written to
    /// in passing, which is no step: of a request that it answers ``source`` says so.
    public var tier: CacheTiers?
    /// The URL without credentials, or the cache key; empty where events were lost.
    public var subject: String
    /// The source of the image, at the end of a request; otherwise nil.
    public var source: ImageResponse.Source?
    /// The duration of the step, without the time that it waited for a free thread except for requests; zero for events
    /// that end nothing, and for a request that memory answered at once.
    public var duration: Duration
    /// After how long what failed is tried again; nil if it is not.
    public var retryDelay: Duration?
    /// Bytes read, loaded, decoded or written; nil if none were.
    public var byteCount: Int?
    /// The metrics of the transfer, for loads over a network; otherwise nil.
    public var transfer: TransferMetrics?

    /// An event.
    public init(
        _ kind: Kind, stage: ImageError.Stage, id: UInt64? = nil, requestID: UInt64? = nil, component: String? = nil,
        tier: CacheTiers? = nil, subject: String, source: ImageResponse.Source? = nil, duration: Duration = .zero,
        retryDelay: Duration? = nil, byteCount: Int? = nil, transfer: TransferMetrics? = nil
    ) {
        self.kind = kind
        self.stage = stage
        self.id = id
        self.requestID = requestID
        self.component = component
        self.tier = tier
        self.subject = subject
        self.source = source
        self.duration = duration
        self.retryDelay = retryDelay
        self.byteCount = byteCount
        self.transfer = transfer
    }
}
