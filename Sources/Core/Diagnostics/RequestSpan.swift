/// A request under way: counted where it begins and where it ends, and told to whoever listens.
///
/// Not for one that memory answers on the spot (``Pipeline/noteHit(_:_:)``). Where nobody listens it makes no text and
/// reads no clock.
struct RequestSpan: Sendable {
    /// What the events of the request, and of the steps that it begins, are known by.
    let id: UInt64
    private let request: ImageRequest
    private let listeners: Listeners
    /// When it began; nil when nobody listens.
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

    /// Ends it. To be called once.
    func end(_ result: Result<ImageResponse, ImageError>) {
        // Last: who sees it counted can wait for all that is told of it.
        defer { counters.requestEnded(result) }
        guard let start else { return }
        let kind: PipelineEvent.Kind
        var source: ImageResponse.Source?
        switch result {
        case .success(let response):
            kind = .succeeded
            source = response.source
        case .failure(let error):
            kind = .stopped(error)
        }
        listeners.tell(
            PipelineEvent(
                kind, stage: .request, id: id, requestID: id, subject: request.subject, source: source,
                duration: time.now() - start))
    }
}
