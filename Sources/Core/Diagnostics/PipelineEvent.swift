/// An event in the course of a request.
public struct PipelineEvent: Sendable {
    /// The kind of an event.
    @nonexhaustive
    public enum Kind: Sendable {
        /// The step begins. The event of its end has the same ``PipelineEvent/id``.
        case began
        /// The step ended with success.
        case succeeded
        /// The step ended without finding anything.
        case missed
        /// The step failed or was cancelled. The event that ends the request shows whether the request failed too.
        case failed(ImageError)
        /// The step ended because there was not enough memory for it. It begins again, as another step.
        case postponed
        /// A failure occurred that does not stop the request. The event does not end a step.
        case issue(ImageError)
        /// The request waits for work of the event's stage that another request began. The events of that work go to
        /// the other request's listeners.
        case joined
        /// This number of events was lost, because too many waited for the listener: see ``EventListener``. The event
        /// does not end a step, has the stage ``ImageError/Stage/telling``, and has no subject.
        case lost(Int)
    }

    /// The kind of the event.
    public var kind: Kind
    /// The stage of the step; ``ImageError/Stage/request`` for the request as a whole.
    public var stage: ImageError.Stage
    /// The number of the step or request that begins or ends. The number is the same at the beginning and at the end,
    /// and unique in the manager. Nil for the kinds `issue`, `joined` and `lost`.
    public var id: UInt64?
    /// The ``id`` of the request that began or joined the step. Nil for steps of the stages `store` and `encode`, for
    /// work in the background, and for events of the kinds `issue` and `lost`.
    public var requestID: UInt64?
    /// The name of the component that does the step, such as a loader, a coder or a cache; nil if it is not known.
    ///
    /// For a transform, this is the key of the transformer. For an encode, this is the name of the format. If the event
    /// reports an error that names a component, this is the ``ImageError/component`` of the error. Always nil for
    /// requests, and for the kinds `joined` and `lost`. At the beginning of a decode, the coder is not known yet.
    public var component: String?
    /// The tier of the cache that is read or written; nil for steps without a cache.
    ///
    /// Reads and writes of the memory tier are not steps, and so have no events of their own. If memory answers a
    /// request, ``source`` is `memory`.
    public var tier: CacheTiers?
    /// The URL without credentials, or the cache key; empty for the kind `lost`.
    public var subject: String
    /// The source of the image, at the end of a request; otherwise nil.
    public var source: ImageResponse.Source?
    /// The duration of the step or request that has ended. The duration of a step does not include its wait for a free
    /// thread. Zero for events that end nothing, and for a request that memory answered at once.
    public var duration: Duration
    /// The time until the failed work is tried again; nil if there is no retry.
    public var retryDelay: Duration?
    /// The number of bytes that the step read, loaded, encoded or wrote. For decoding and transforming, this is the
    /// number of bytes that the resulting image takes in memory. Nil if there are none.
    public var byteCount: Int?
    /// The metrics of the transfer, for loads over a network; otherwise nil.
    public var transfer: TransferMetrics?

    /// Creates an event.
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
