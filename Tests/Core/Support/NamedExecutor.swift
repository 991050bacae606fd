@testable import Calotype

/// An executor of tasks with a thread of its own, by whose name a test knows what runs on it.
final class NamedExecutor: TaskExecutor {
    static let threadName = "t-executor"

    private let lane = Lane(name: NamedExecutor.threadName, width: 1)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lane.start { [self] _ in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
