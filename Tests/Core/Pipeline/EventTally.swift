import Calotype
import CalotypeTesting

/// A listener that counts what it is told, and lets a test wait for those who join the work of others.
final class EventTally: EventListener {
    struct Counts: Equatable {
        /// Requests that began.
        var begun = 0
        /// Requests that were answered, by where the image came from.
        var answers: [ImageResponse.Source: Int] = [:]
        /// Requests that failed, the cancelled ones included.
        var failures: [ImageError.Code: Int] = [:]
        /// Failures that stopped no request.
        var issues: [ImageError.Code: Int] = [:]
        var joins: [ImageError.Stage: Int] = [:]
        /// Events that nobody was told of.
        var lostCount = 0

        /// Requests that ended.
        var ended: Int { answers.values.reduce(0, +) + failures.values.reduce(0, +) }

        /// Joins, those aside of look-ups: whether two of these are made at once is a matter of chance.
        var joinsOfWork: [ImageError.Stage: Int] { joins.filter { $0.key != .query } }

        /// How many those are.
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

    /// Waits until `count` have joined the work of others in all, look-ups aside, or the task is cancelled.
    func waitForJoins(_ count: Int) async { await state.wait { $0.joinCount >= count } }
}
