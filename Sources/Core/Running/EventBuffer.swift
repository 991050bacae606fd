/// The events of a task for one listener: the latest progress, the latest preview, what a cache had, and the end; the
/// last two are not lost unless they are taken back.
final class EventBuffer: Sendable {
    private struct State {
        var progress: LoadProgress?
        var preview: (image: Image, kind: PreviewKind)?
        /// The best that has come.
        var bestKind: PreviewKind?
        var cached: ImageResponse?
        var hasCached = false
        var result: Result<ImageResponse, ImageError>?
        /// The error that the end becomes, or is, since the events so far were revoked.
        var revocation: ImageError?
        var isEmptied = false
        var waiting: OneShot<Void>?
        var observer: (@Sendable (Bool) -> Void)?

        /// Forgets all but the end.
        mutating func clear() {
            progress = nil
            preview = nil
            cached = nil
        }

        /// The next event; nil after the last. No answer where there is none yet.
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

    /// Takes the latest progress, in place of one that was not fetched.
    func put(_ progress: LoadProgress) {
        wake { $0.progress = progress }
    }

    /// Takes the latest preview, in place of one that was not fetched.
    func put(_ preview: Image, as kind: PreviewKind) {
        wake { state in
            // Two threads may bring two at once: what is shown gets no worse.
            guard !state.hasCached, kind.mayReplace(state.bestKind) else { return }
            (state.bestKind, state.preview) = (kind, (preview, kind))
        }
    }

    /// Takes what a cache had, in place of what stood for it.
    func put(_ cached: ImageResponse) {
        wake { state in
            state.preview = nil
            state.hasCached = true
            state.cached = cached
        }
    }

    /// Takes the end.
    func end(_ result: Result<ImageResponse, ImageError>) {
        wake { state in
            let end = state.revocation.map { Result<ImageResponse, ImageError>.failure($0) } ?? result
            state.result = end
            // The image is there: what stood for it is of no use any more.
            state.preview = nil
            // A cancelled task is told nothing more.
            guard case .failure(let error) = end, error.code == .cancelled else { return }
            state.clear()
        }
    }

    /// Takes back what has not been fetched, the end too, in whose place `error` comes. Where the end is still on its
    /// way nothing else comes until then.
    func revoke(_ error: ImageError) {
        // What is taken back goes with what is handed out, and not under the lock.
        _ = state.withLock { state -> State in
            let former = state
            state.clear()
            state.revocation = error
            if state.result != nil { state.result = .failure(error) }
            return former
        }
    }

    /// Calls `body` whenever something has come, on the thread that brings it and never under a lock; and now, where
    /// something is there. Keeps it until the end has been taken.
    /// - Parameter body: Given whether the end is there.
    func observe(_ body: @escaping @Sendable (Bool) -> Void) {
        let (isEmpty, isOver) = state.withLock { state -> (Bool, Bool) in
            state.observer = body
            let isOver = state.result != nil
            return (!isOver && state.progress == nil && state.preview == nil && state.cached == nil, isOver)
        }
        if !isEmpty { body(isOver) }
    }

    /// Returns the next event for the observer; nil after the last. There is no answer if there is no event yet.
    func take() -> Result<ImageEvent?, ImageError>? { state.withLock { $0.take() } }

    private func wake(_ change: (inout State) -> Void) {
        let (waiting, observer, isOver) = state.withLock {
            state -> (OneShot<Void>?, (@Sendable (Bool) -> Void)?, Bool) in
            // Nothing comes after the end, also where two threads bring the two at once.
            guard state.result == nil else { return (nil, nil, true) }
            change(&state)
            if state.revocation != nil { state.clear() }
            defer { state.waiting = nil }
            return (state.waiting, state.observer, state.result != nil)
        }
        waiting?.resolve(.success(()))
        observer?(isOver)
    }

    /// The next event, as soon as there is one; nil after the last.
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
