/// A request in progress, whose beginning and end are counted and reported to listeners.
///
/// Requests that memory answers at once have no span: see ``Pipeline/noteHit(_:_:)``.
struct RequestSpan: Sendable {
    /// The number that identifies the events of the request, and of the steps that it begins.
    let id: UInt64
    private let request: ImageRequest
    private let listeners: Listeners
    /// The time at which the request began; nil without listeners.
    private let start: Duration?
    private let counters: Counters
    private let time: any TimeSource

    /// Creates the span of a request. Counts the beginning of the request, and reports it to listeners.
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

    /// Returns the event that reports the end of the request; nil without listeners. Reads the clock, which may be
    /// client code.
    func endEvent(_ result: Result<ImageResponse.Source, ImageError>) -> PipelineEvent? {
        guard let start else { return nil }
        let kind: PipelineEvent.Kind
        var source: ImageResponse.Source?
        switch result {
        case .success(let found):
            kind = .succeeded
            source = found
        case .failure(let error):
            kind = .failed(error)
        }
        return PipelineEvent(
            kind, stage: .request, id: id, requestID: id, subject: request.subject, source: source,
            duration: time.now() - start)
    }

    /// Counts the end of the request, and reports it to listeners. Call this method once. The method calls no client
    /// code, so it may be called under a lock.
    /// - Parameter event: The event from ``endEvent(_:)``.
    func end(_ result: Result<ImageResponse.Source, ImageError>, telling event: PipelineEvent?) {
        if let event { listeners.tell(event) }
        // Counted last, so that a reader of the count finds all events of the request sent.
        counters.requestEnded(result)
    }
}
