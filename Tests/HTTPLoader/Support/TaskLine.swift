#if HTTP
import Dispatch

/// Runs tasks on one thread, in order, so that they reach the loader in the order of their start.
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

    /// Waits until all tasks are suspended. Each yield here gives every task a turn, and none needs as many turns.
    func settle() async {
        await Task(executorPreference: self) {
            for _ in 0..<100 { await Task.yield() }
        }.value
    }
}
#endif
