import Calotype

/// The responses of a server, by path.
final class ServerScript: Sendable {
    typealias Answer = @Sendable (ScriptedRequest) -> ScriptedResponse

    private struct State {
        var answers: [String: Answer] = [:]
        var otherAnswer: Answer?
    }

    private let state = Lock(State())

    /// Sets the response for a path. If `path` is nil, sets the response for all paths without one of their own.
    func set(_ answer: @escaping Answer, for path: String?) {
        let old = state.withLock { state -> Answer? in
            guard let path else {
                defer { state.otherAnswer = answer }
                return state.otherAnswer
            }
            return state.answers.updateValue(answer, forKey: path)
        }
        // The old closure is released here, outside the lock.
        _ = old
    }

    /// Returns the response to a request. A response for the path with its query takes precedence over one for the path
    /// alone.
    func response(to request: ScriptedRequest) -> ScriptedResponse {
        let answer = state.withLock { $0.answers[request.target] ?? $0.answers[request.path] ?? $0.otherAnswer }
        if let answer { return answer(request) }
        return .bytes(Data("no answer is scripted\n".utf8), contentType: "text/plain", status: 404)
    }

    /// Removes all responses.
    func clear() {
        let old = state.withLock { state -> State in
            defer { state = State() }
            return state
        }
        _ = old
    }
}
