#if HTTP
import Dispatch

/// Runs tasks on one thread, in turn: those that were started first are first at the loader.
final class TaskLine: TaskExecutor {
    private let queue = DispatchQueue(label: "task-line")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Starts a task.
    func start<Success: Sendable>(
        _ body: @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        Task(executorPreference: self) { try await body() }
    }

    /// Waits until each of its tasks has come to where it waits for others. Each turn of this one is a turn of all, and
    /// none takes as many.
    func settle() async {
        await Task(executorPreference: self) {
            for _ in 0..<100 { await Task.yield() }
        }.value
    }
}
#endif
