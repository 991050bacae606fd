/// The events of a task for one listener: the latest progress, the latest preview, and the end, which is never lost.
final class Mailbox: Sendable {
    private struct State {
        var progress: LoadProgress?
        var preview: Image?
        var result: Result<ImageResponse, ImageError>?
        var isEmptied = false
        var waiting: OneShot<Void>?
    }

    private let state = Lock(State())

    /// Takes the latest progress, in place of one that was not fetched.
    func put(_ progress: LoadProgress) {
        wake { $0.progress = progress }
    }

    /// Takes the latest preview, in place of one that was not fetched.
    func put(_ preview: Image) {
        wake { $0.preview = preview }
    }

    /// Takes the end.
    func end(_ result: Result<ImageResponse, ImageError>) {
        wake { state in
            state.result = result
            // The image is there: what stood for it is of no use any more.
            state.preview = nil
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            // Nothing comes after the end, also where two threads bring the two at once.
            guard state.result == nil else { return nil as OneShot<Void>? }
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resolve(.success(()))
    }

    /// The next event, as soon as there is one; nil after the last.
    func next() async throws -> ImageEvent? {
        while true {
            let arrival = OneShot<Void>()
            let found = state.withLock { state -> Result<ImageEvent?, any Error>? in
                if state.isEmptied { return .success(nil) }
                if let progress = state.progress {
                    state.progress = nil
                    return .success(.progress(progress))
                }
                if let preview = state.preview {
                    state.preview = nil
                    return .success(.preview(preview, .partial))
                }
                if let result = state.result {
                    state.isEmptied = true
                    return result.map { .finished($0) }.mapError { $0 }
                }
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
