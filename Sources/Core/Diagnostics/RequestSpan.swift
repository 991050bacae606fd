/// A request in progress: counted where it begins and where it ends, and told to listeners.
///
/// Not for one that memory answers on the spot (``Pipeline/noteHit(_:_:)``). Without listeners it makes no text and
/// reads no clock.
struct RequestSpan: Sendable {
    /// The number that identifies the events of the request, and of the steps that it begins.
    let id: UInt64
    private let request: ImageRequest
    private let listeners: Listeners
    /// The time at which the request began; nil without listeners.
    private let start: Duration?
    private let counters: Counters
    private let time: any TimeSource

    /// Begins a request.
    init(_ request: ImageRequest, listeners: Listeners, counters: Counters, time: any TimeSource) {
        self.request = request
        self.listeners = listeners
        self.counters = counters
        self.time = time
        id = counters.makeID()
        counters.requestBegan()
        guard !listeners.isEmpty else {
            start = nil
            return
        }
        start = time.now()
        listeners.tell(PipelineEvent(.began, stage: .request, id: id, requestID: id, subject: request.subject))
    }

    /// Returns the event of the request's end; nil without listeners. Looks at the clock, which may be somebody else's.
    func endEvent(_ result: Result<ImageResponse.Source, ImageError>) -> PipelineEvent? {
        guard let start else { return nil }
        let kind: PipelineEvent.Kind
        var source: ImageResponse.Source?
        switch result {
        case .success(let found):
            kind = .succeeded
            source = found
        case .failure(let error):
            kind = .stopped(error)
        }
        return PipelineEvent(
            kind, stage: .request, id: id, requestID: id, subject: request.subject, source: source,
            duration: time.now() - start)
    }

    /// Ends it. To be called once. Calls no client code: it may be called under a lock.
    /// - Parameter event: What ``endEvent(_:)`` says of that result.
    func end(_ result: Result<ImageResponse.Source, ImageError>, telling event: PipelineEvent?) {
        if let event { listeners.tell(event) }
        // Last: a reader of the count can wait for all that is told of the request.
        counters.requestEnded(result)
    }
}
