import Calotype
import CalotypeTesting

/// A listener that counts events, and lets a test wait for joined work.
final class EventTally: EventListener {
    struct Counts: Equatable {
        /// The requests that began.
        var begun = 0
        /// The successful requests, by the source of the image.
        var answers: [ImageResponse.Source: Int] = [:]
        /// The failed requests, including cancelled ones.
        var failures: [ImageError.Code: Int] = [:]
        /// The failures that did not stop a request.
        var issues: [ImageError.Code: Int] = [:]
        var joins: [ImageError.Stage: Int] = [:]
        /// The number of lost events.
        var lostCount = 0

        /// The number of ended requests.
        var ended: Int { answers.values.reduce(0, +) + failures.values.reduce(0, +) }

        /// The joins except those of lookups, whose concurrency is random.
        var joinsOfWork: [ImageError.Stage: Int] { joins.filter { $0.key != .query } }

        /// The number of those joins.
        var joinCount: Int { joinsOfWork.values.reduce(0, +) }

        fileprivate mutating func count(_ event: PipelineEvent) {
            switch event.kind {
            case .joined: joins[event.stage, default: 0] += 1
            case .lost(let count): lostCount += count
            case .issue(let error): issues[error.code, default: 0] += 1
            case .began where event.stage == .request: begun += 1
            case .succeeded where event.stage == .request:
                if let source = event.source { answers[source, default: 0] += 1 }
            case .failed(let error) where event.stage == .request: failures[error.code, default: 0] += 1
            default: break
            }
        }
    }

    private let state = Watched(Counts())

    var counts: Counts { state.withLock { $0 } }

    func received(_ event: PipelineEvent) { state.withLock { $0.count(event) } }

    /// Waits until there are `count` joins except those of lookups, or the task is cancelled.
    func waitForJoins(_ count: Int) async { await state.wait { $0.joinCount >= count } }
}
