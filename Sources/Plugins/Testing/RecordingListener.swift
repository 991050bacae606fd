public import Calotype

/// Remembers every event that it is told.
///
/// Events are told later than they happen. Before you look for all of them, `await manager.waitForEvents()`.
public final class RecordingListener: EventListener {
    private let state = Lock<[PipelineEvent]>([])

    /// A listener that has heard nothing.
    public init() {}

    public func received(_ event: PipelineEvent) { state.withLock { $0.append(event) } }

    /// The events so far, in the order in which they were told.
    public var events: [PipelineEvent] { state.withLock { $0 } }

    /// The ends of a stage's steps that were done.
    public func successes(of stage: ImageError.Stage) -> [PipelineEvent] {
        events.filter { event in
            if case .succeeded = event.kind { return event.stage == stage }
            return false
        }
    }

    /// The failures so far that stopped no request.
    public var failures: [ImageError] {
        events.compactMap { event in
            if case .failed(let error) = event.kind { return error }
            return nil
        }
    }
}
