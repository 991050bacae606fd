/// A step in progress: counted where it begins and where it ends, and told to listeners.
///
/// Each is ended once, in one of four ways, by the thread that does it, so that no cancelling comes in between; on the
/// way from one thread to another a ``SuspendedSpan`` sees to that. Without listeners it makes no text, and reads
/// the clock for the response's metrics alone.
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
    /// Nil without listeners.
    private let told: Told?
    private let counters: Counters
    private let time: any TimeSource

    /// Begins a step.
    /// - Parameters:
    ///   - component: The part that does it; nil if that is known only at the end.
    ///   - subject: The input of the step. Evaluated only if there are listeners.
    ///   - requestID: The request that began it; nil for none.
    ///   - elapsed: The time that it has already taken.
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
        // Last: telling is no part of the step.
        start = time.now() - elapsed
    }

    /// The step, going on elsewhere: the time until then was spent waiting for a thread.
    func restarted() -> StepSpan {
        var span = self
        span.start = time.now()
        return span
    }

    /// The step was done.
    /// - Parameters:
    ///   - component: The part that did it; nil for the one that it began with.
    ///   - byteCount: Bytes read, loaded, decoded or written; nil if none were.
    ///   - transfer: What the transfer was like, for loads over a network.
    /// - Returns: The metrics' entry.
    @discardableResult
    func end(
        component: String? = nil, byteCount: Int? = nil, transfer: TransferMetrics? = nil
    ) -> ImageMetrics.Step {
        let duration = time.now() - start
        let component = component ?? self.component
        tell(.succeeded, by: component, after: duration, byteCount: byteCount, transfer: transfer)
        // Last, here and below: a reader of the count can wait for all that is told of the step.
        counters.ended(stage, after: duration, byteCount: byteCount ?? 0)
        return ImageMetrics.Step(
            stage: stage, component: component, tier: stage.tier, duration: duration, byteCount: byteCount,
            transfer: transfer)
    }

    /// The step was done, and has found that nothing is there.
    func miss() {
        let duration = time.now() - start
        tell(.missed, by: component, after: duration)
        counters.missed(stage, after: duration)
    }

    /// The step gave way for want of memory, to begin anew as another one.
    func postpone() {
        defer { counters.postponed(stage) }
        guard told != nil else { return }
        tell(.postponed, by: component, after: time.now() - start)
    }

    /// The step failed, or was cancelled.
    /// - Parameters:
    ///   - byteCount: Bytes that had come by then; nil if there are none.
    ///   - transfer: As above.
    func stop(_ error: any Error, byteCount: Int? = nil, transfer: TransferMetrics? = nil) {
        let error = ImageError.wrapping(
            error, as: stage.failureCode, stage: stage, component: component, message: "the step could not be done")
        defer { counters.stopped(stage, isCancelled: error.code == .cancelled) }
        guard told != nil else { return }
        tell(
            .stopped(error), by: error.component ?? component, after: time.now() - start, byteCount: byteCount,
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
    /// The code of what is thrown in the stage and is no error of ours.
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
