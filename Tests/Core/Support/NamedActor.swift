@testable import Calotype

/// An actor with its own named thread, by which a test identifies code in its isolation.
actor NamedActor {
    private final class Executor: SerialExecutor {
        private let lane = Lane(name: NamedActor.threadName, width: 1)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            lane.start { [self] _ in job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    static let threadName = "t-actor"

    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Calls `body` in its isolation.
    func call<Made: Sendable>(_ body: @Sendable () async throws -> Made) async throws -> Made { try await body() }
}
