/// The events of a task for one listener: the latest progress, the latest preview, the cached response, and the end. If
/// the task is cancelled, only the end remains.
final class EventBuffer: Sendable {
    private struct State {
        var progress: LoadProgress?
        var preview: (image: Image, kind: PreviewKind)?
        /// The best kind of preview so far.
        var bestKind: PreviewKind?
        var cached: ImageResponse?
        var hasCached = false
        var result: Result<ImageResponse, ImageError>?
        /// The error that replaces the result because the events were revoked; nil if they were not revoked.
        var revocation: ImageError?
        var isEmptied = false
        var waiting: OneShot<Void>?
        var observer: (@Sendable (Bool) -> Void)?

        /// Removes all events except the end.
        mutating func clear() {
            progress = nil
            preview = nil
            cached = nil
        }

        /// Removes and returns the next event or error; nil if there is none yet, `.success(nil)` after the end.
        mutating func take() -> Result<ImageEvent?, ImageError>? {
            if isEmptied { return .success(nil) }
            if let progress {
                self.progress = nil
                return .success(.progress(progress))
            }
            if let preview {
                self.preview = nil
                return .success(.preview(preview.image, preview.kind))
            }
            if let cached {
                self.cached = nil
                return .success(.cached(cached))
            }
            guard let result else { return nil }
            isEmptied = true
            observer = nil
            return result.map { .finished($0) }
        }
    }

    private let state = Lock(State())

    /// Adds the latest progress. It replaces earlier progress that was not fetched.
    func put(_ progress: LoadProgress) {
        wake { $0.progress = progress }
    }

    /// Adds the latest preview in place of the previous one. Ignores it after a better preview or the cached response.
    func put(_ preview: Image, as kind: PreviewKind) {
        wake { state in
            // Two threads may add previews at once: a preview is never followed by a worse one.
            guard !state.hasCached, kind.mayReplace(state.bestKind) else { return }
            (state.bestKind, state.preview) = (kind, (preview, kind))
        }
    }

    /// Adds the cached response. It replaces a preview that was not fetched.
    func put(_ cached: ImageResponse) {
        wake { state in
            state.preview = nil
            state.hasCached = true
            state.cached = cached
        }
    }

    /// Adds the end: the response, or the error of the task. Events that are added later are ignored.
    func end(_ result: Result<ImageResponse, ImageError>) {
        wake { state in
            let end = state.revocation.map { Result<ImageResponse, ImageError>.failure($0) } ?? result
            state.result = end
            // The final image makes a preview useless.
            state.preview = nil
            // A cancelled task delivers no other events.
            guard case .failure(let error) = end, error.code == .cancelled else { return }
            state.clear()
        }
    }

    /// Discards all events that have not been fetched and all later ones. The result of the task becomes `error`.
    func revoke(_ error: ImageError) {
        // The revoked events are returned, so that they are released outside the lock.
        _ = state.withLock { state -> State in
            let former = state
            state.clear()
            state.revocation = error
            if state.result != nil { state.result = .failure(error) }
            return former
        }
    }

    /// Calls `body` each time that an event is added, on the thread that adds it and never under a lock. Calls `body`
    /// at once if there are events already. Retains `body` until the end has been fetched.
    /// - Parameter body: Receives whether the end has arrived.
    func observe(_ body: @escaping @Sendable (Bool) -> Void) {
        let (isEmpty, isOver) = state.withLock { state -> (Bool, Bool) in
            state.observer = body
            let isOver = state.result != nil
            return (!isOver && state.progress == nil && state.preview == nil && state.cached == nil, isOver)
        }
        if !isEmpty { body(isOver) }
    }

    /// Removes and returns the next event or error; nil if there is none yet, `.success(nil)` after the end.
    func take() -> Result<ImageEvent?, ImageError>? { state.withLock { $0.take() } }

    private func wake(_ change: (inout State) -> Void) {
        let (waiting, observer, isOver) = state.withLock {
            state -> (OneShot<Void>?, (@Sendable (Bool) -> Void)?, Bool) in
            // No event follows the end, even if two threads add them at once.
            guard state.result == nil else { return (nil, nil, true) }
            change(&state)
            if state.revocation != nil { state.clear() }
            defer { state.waiting = nil }
            return (state.waiting, state.observer, state.result != nil)
        }
        waiting?.resolve(.success(()))
        observer?(isOver)
    }

    /// Waits for the next event and returns it; nil after the end. Throws the error that ends the events.
    func next() async throws -> ImageEvent? {
        while true {
            let arrival = OneShot<Void>()
            let found = state.withLock { state -> Result<ImageEvent?, ImageError>? in
                if let found = state.take() { return found }
                state.waiting = arrival
                return nil
            }
            if let found { return try found.get() }
            try await withTaskCancellationHandler {
                try await arrival.value()
            } onCancel: {
                arrival.resolve(.failure(CancellationError()))
            }
        }
    }
}
