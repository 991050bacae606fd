@testable import Calotype

/// A task executor with its own named thread, by which a test identifies code that runs on it.
final class NamedExecutor: TaskExecutor {
    static let threadName = "t-executor"

    private let lane = Lane(name: NamedExecutor.threadName, width: 1)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lane.start { [self] _ in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
