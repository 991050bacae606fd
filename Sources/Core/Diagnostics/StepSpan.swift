/// A step in progress, whose beginning and end are counted and reported to listeners.
///
/// The thread that does the step must end it exactly once, with `end`, `miss`, `postpone` or `fail`. A cancellation on
/// another thread must not end it. While a step moves from one thread to another, it is kept in a ``SuspendedSpan``.
struct StepSpan: Sendable {
    /// The data that exists only for listeners.
    private struct Told: Sendable {
        let listeners: Listeners
        let id: UInt64
        let requestID: UInt64?
        let subject: String
    }

    private let stage: ImageError.Stage
    private let component: String?
    private var start: Duration
    /// The data for listeners; nil without listeners.
    private let told: Told?
    private let counters: Counters
    private let time: any TimeSource

    /// Begins a step.
    /// - Parameters:
    ///   - component: The component that does the step; nil if it is known only at the end.
    ///   - subject: The input of the step. Evaluated only if there are listeners.
    ///   - requestID: The number of the request that began the step; nil for none.
    ///   - elapsed: The time that the step has already taken.
    init(
        _ stage: ImageError.Stage, component: String?, subject: @autoclosure () -> String, requestID: UInt64?,
        listeners: Listeners, counters: Counters, time: any TimeSource, after elapsed: Duration = .zero
    ) {
        self.stage = stage
        self.component = component
        self.counters = counters
        self.time = time
        counters.began(stage)
        if listeners.isEmpty {
            told = nil
        } else {
            let told = Told(
                listeners: listeners, id: counters.makeID(), requestID: requestID, subject: subject())
            self.told = told
            listeners.tell(
                PipelineEvent(
                    .began, stage: stage, id: told.id, requestID: requestID, component: component, tier: stage.tier,
                    subject: told.subject))
        }
        // Read last: notifying listeners is not part of the step.
        start = time.now() - elapsed
    }

    /// Returns a span for the same step whose duration is measured from now on. Call this method when a step moves to
    /// another thread, so that its duration does not include the wait for that thread.
    func restarted() -> StepSpan {
        var span = self
        span.start = time.now()
        return span
    }

    /// Ends the step with success. Returns the step for the metrics of the response.
    /// - Parameters:
    ///   - component: The component that did the step; nil for the component that was passed to `init`.
    ///   - byteCount: The number of bytes read, loaded, decoded or written; nil if there are none.
    @discardableResult
    func end(
        component: String? = nil, byteCount: Int? = nil, transfer: TransferMetrics? = nil
    ) -> ImageMetrics.Step {
        let duration = time.now() - start
        let component = component ?? self.component
        tell(.succeeded, by: component, after: duration, byteCount: byteCount, transfer: transfer)
        // Counted last, here and below, so that a reader of the count finds all events of the step sent.
        counters.ended(stage, after: duration, byteCount: byteCount ?? 0)
        return ImageMetrics.Step(
            stage: stage, component: component, tier: stage.tier, duration: duration, byteCount: byteCount,
            transfer: transfer)
    }

    /// Ends the step as a miss: the step succeeded, but found nothing.
    func miss() {
        let duration = time.now() - start
        tell(.missed, by: component, after: duration)
        counters.missed(stage, after: duration)
    }

    /// Ends the step because there is not enough memory for it. The work begins again later, as another step.
    func postpone() {
        defer { counters.postponed(stage) }
        guard told != nil else { return }
        tell(.postponed, by: component, after: time.now() - start)
    }

    /// Ends the step with a failure or a cancellation.
    /// - Parameter byteCount: The number of bytes that arrived before the failure; nil if there are none.
    func fail(_ error: any Error, byteCount: Int? = nil, transfer: TransferMetrics? = nil) {
        let error = ImageError.wrapping(
            error, as: stage.failureCode, stage: stage, component: component,
            message: "the step could not be completed")
        defer { counters.failed(stage, isCancelled: error.code == .cancelled) }
        guard told != nil else { return }
        tell(
            .failed(error), by: error.component ?? component, after: time.now() - start, byteCount: byteCount,
            transfer: transfer)
    }

    private func tell(
        _ kind: PipelineEvent.Kind, by component: String?, after duration: Duration, byteCount: Int? = nil,
        transfer: TransferMetrics? = nil
    ) {
        guard let told else { return }
        told.listeners.tell(
            PipelineEvent(
                kind, stage: stage, id: told.id, requestID: told.requestID, component: component, tier: stage.tier,
                subject: told.subject, duration: duration, byteCount: byteCount, transfer: transfer))
    }
}

extension ImageError.Stage {
    /// The error code for errors in this stage that are not of the type ``ImageError``.
    fileprivate var failureCode: ImageError.Code {
        switch self {
        case .resolve: .processorFailed
        case .query, .store: .cacheFailed
        case .decode: .badData
        case .transform: .transformFailed
        case .encode: .encodeFailed
        default: .loadFailed
        }
    }
}
