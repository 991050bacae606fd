import Calotype

extension PipelineEvent {
    /// What differs in no run: `decode began`.
    var line: String {
        let what =
            switch kind {
            case .began: "began"
            case .succeeded: "succeeded"
            case .missed: "missed"
            case .stopped: "stopped"
            case .postponed: "postponed"
            case .failed: "failed"
            case .joined: "joined"
            case .lost(let count): "lost \(count)"
            @unknown default: "?"
            }
        return "\(stage.rawValue) \(what)"
    }

    /// Whether it is the end of a step or a request.
    var isEnd: Bool {
        switch kind {
        case .succeeded, .missed, .stopped, .postponed: true
        default: false
        }
    }

    /// What it tells of that failed.
    var error: ImageError? {
        switch kind {
        case .stopped(let error), .failed(let error): error
        default: nil
        }
    }
}
