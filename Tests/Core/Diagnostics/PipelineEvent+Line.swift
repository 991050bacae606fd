import Calotype

extension PipelineEvent {
    /// The parts of the event that are equal in every run: `decode began`.
    var line: String {
        let what =
            switch kind {
            case .began: "began"
            case .succeeded: "succeeded"
            case .missed: "missed"
            case .failed: "failed"
            case .postponed: "postponed"
            case .issue: "issue"
            case .joined: "joined"
            case .lost(let count): "lost \(count)"
            @unknown default: "?"
            }
        return "\(stage.rawValue) \(what)"
    }

    /// Whether the event is the end of a step or a request.
    var isEnd: Bool {
        switch kind {
        case .succeeded, .missed, .failed, .postponed: true
        default: false
        }
    }

    /// The error of the event.
    var error: ImageError? {
        switch kind {
        case .failed(let error), .issue(let error): error
        default: nil
        }
    }
}
