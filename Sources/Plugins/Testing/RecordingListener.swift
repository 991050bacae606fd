public import Calotype

/// A listener that records all events.
///
/// Events are delivered asynchronously. Call `await manager.waitForEvents()` before you examine the events.
public final class RecordingListener: EventListener {
    private let state = Lock<[PipelineEvent]>([])

    /// Creates a listener without events.
    public init() {}

    public func received(_ event: PipelineEvent) { state.withLock { $0.append(event) } }

    /// The events so far, in the order of delivery.
    public var events: [PipelineEvent] { state.withLock { $0 } }

    /// Returns the events that report the successful end of a stage.
    public func successes(of stage: ImageError.Stage) -> [PipelineEvent] {
        events.filter { event in
            if case .succeeded = event.kind { return event.stage == stage }
            return false
        }
    }

    /// The failures so far that did not stop a request.
    public var issues: [ImageError] {
        events.compactMap { event in
            if case .issue(let error) = event.kind { return error }
            return nil
        }
    }
}
