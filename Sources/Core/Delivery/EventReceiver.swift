/// Brings the events of a task to callbacks, where they are wanted: one at a time, in order.
///
/// What comes while a callback runs waits in the buffer, of progress and previews the latest alone. So a receiver has
/// no more than one turn asked for at a time, however slow it is and however much comes; and what is out of date by the
/// time of its turn is not told. A turn is one event, so that others on the same queue have theirs in between.
final class EventReceiver: Sendable {
    private struct State {
        /// Whether a turn has been asked for that is not over. Stays so after the end.
        var hasTurn = false
        /// Whether something has come that the turn may not have seen.
        var hasNews = false
        /// The place where callbacks are called; nil until there is something to tell.
        var place: Delivery?
    }

    private let state = Lock(State())
    private let buffer: EventBuffer
    /// Asked once, when there is something to be told.
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

    /// Begins to tell. The buffer keeps the receiver until its end has been told.
    func begin() {
        buffer.observe { [self] isOver in
            // Without anybody to tell of them, other events are not worth a turn.
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

    /// Returns the place where callbacks are called. Called by the thread that has asked for the turn.
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
                    // What else is there, or comes until then, is told in the next turn.
                    state.withLock { $0.hasNews = true }
                    return place.performLater { [self] in takeTurn(at: place) }
                case .success(nil): return
                case .failure(let error): return completion(.failure(error))
                }
            }
        }
    }

    /// Whether there may be something to be told; ends the turn when there is nothing.
    private func goesOn() -> Bool {
        state.withLock { state in
            state.hasTurn = state.hasNews
            state.hasNews = false
            return state.hasTurn
        }
    }
}
