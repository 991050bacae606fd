/// A receiver that calls the callbacks of a task with its events, one at a time and in order.
///
/// Events are delivered in turns, which are pieces of work for the queue of the callbacks. A turn delivers one event,
/// so that other work of the queue runs between two events. If the delivery is inline, a turn delivers all events. At
/// most one turn is scheduled at a time. If callbacks are slow, older progress and previews are dropped.
final class EventReceiver: Sendable {
    private struct State {
        /// Whether a turn is scheduled or in progress. Remains true once the last event has been delivered.
        var hasTurn = false
        /// Whether there may be events that the current turn has not seen.
        var hasNews = false
        /// The place where callbacks are called; nil until the first turn is scheduled.
        var place: Delivery?
    }

    private let state = Lock(State())
    private let buffer: EventBuffer
    /// The function that returns the place where callbacks are called. It is called once, before the first turn.
    private let delivery: @Sendable () -> Delivery
    private let onEvent: (@Sendable (ImageEvent) -> Void)?
    private let completion: @Sendable (Result<ImageResponse, ImageError>) -> Void

    init(
        _ buffer: EventBuffer, on delivery: @escaping @Sendable () -> Delivery,
        onEvent: (@Sendable (ImageEvent) -> Void)?,
        completion: @escaping @Sendable (Result<ImageResponse, ImageError>) -> Void
    ) {
        self.buffer = buffer
        self.delivery = delivery
        self.onEvent = onEvent
        self.completion = completion
    }

    /// Begins to deliver events. The buffer retains the receiver until the last event or the error has been fetched.
    func begin() {
        buffer.observe { [self] isOver in
            // Without an `onEvent` callback, only the end is worth a turn.
            if isOver || onEvent != nil { askForTurn() }
        }
    }

    private func askForTurn() {
        let isFirst = state.withLock { state in
            state.hasNews = true
            defer { state.hasTurn = true }
            return !state.hasTurn
        }
        guard isFirst else { return }
        let place = findPlace()
        place.perform { [self] in takeTurn(at: place) }
    }

    /// Returns the place where callbacks are called. Called only by the thread that schedules the turn.
    private func findPlace() -> Delivery {
        if let known = state.withLock({ $0.place }) { return known }
        let place = delivery()
        state.withLock { $0.place = place }
        return place
    }

    private func takeTurn(at place: Delivery) {
        while goesOn() {
            while let next = buffer.take() {
                switch next {
                case .success(.finished(let response)?): return completion(.success(response))
                case .success(let event?):
                    guard let onEvent else { continue }
                    onEvent(event)
                    if case .inline = place { continue }
                    // Events that are left, or that arrive meanwhile, are delivered in the next turn.
                    state.withLock { $0.hasNews = true }
                    return place.performLater { [self] in takeTurn(at: place) }
                case .success(nil): return
                case .failure(let error): return completion(.failure(error))
                }
            }
        }
    }

    /// Returns whether there may be events to deliver. Ends the turn if there are none.
    private func goesOn() -> Bool {
        state.withLock { state in
            state.hasTurn = state.hasNews
            state.hasNews = false
            return state.hasTurn
        }
    }
}
