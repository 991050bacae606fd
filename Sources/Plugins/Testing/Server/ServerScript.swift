import Calotype

/// The answers of a server, by path.
final class ServerScript: Sendable {
    typealias Answer = @Sendable (ScriptedRequest) -> ScriptedResponse

    private struct State {
        var answers: [String: Answer] = [:]
        var otherAnswer: Answer?
    }

    private let state = Lock(State())

    /// Sets what is answered to a path; nil stands for all others.
    func set(_ answer: @escaping Answer, for path: String?) {
        let old = state.withLock { state -> Answer? in
            guard let path else {
                defer { state.otherAnswer = answer }
                return state.otherAnswer
            }
            return state.answers.updateValue(answer, forKey: path)
        }
        // What it holds goes here, and not under the lock.
        _ = old
    }

    /// Returns the answer to a request. A path with a query goes before one without.
    func response(to request: ScriptedRequest) -> ScriptedResponse {
        let answer = state.withLock { $0.answers[request.target] ?? $0.answers[request.path] ?? $0.otherAnswer }
        if let answer { return answer(request) }
        return .bytes(Data("no answer is scripted\n".utf8), contentType: "text/plain", status: 404)
    }

    /// Forgets all answers, and what they hold.
    func clear() {
        let old = state.withLock { state -> State in
            defer { state = State() }
            return state
        }
        _ = old
    }
}
