/// The running tasks of a manager, and the completion handlers that have not been called yet.
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [ObjectIdentifier: (number: Int, task: ImageTask)] = [:]
        var completions: [Int: (subject: String, buffer: EventBuffer)] = [:]
        var nextNumber = 0
    }

    private let state = Lock(State())

    /// The tasks in the order in which they began.
    var tasks: [ImageTask] {
        let found = state.withLock { Array($0.tasks.values) }
        return found.sorted { $0.number < $1.number }.map(\.task)
    }

    var isEmpty: Bool { state.withLock { $0.tasks.isEmpty } }

    func insert(_ task: ImageTask) {
        state.withLock { state in
            state.tasks[ObjectIdentifier(task)] = (state.nextNumber, task)
            state.nextNumber += 1
        }
    }

    func remove(_ task: ImageTask) {
        state.withLock { $0.tasks[ObjectIdentifier(task)] = nil }
    }

    /// Adds a completion handler with the buffer of its events. Returns the number for ``removeCompletion(_:)``.
    func insertCompletion(at buffer: EventBuffer, of request: ImageRequest) -> Int {
        let subject = request.subject
        return state.withLock { state in
            defer { state.nextNumber += 1 }
            state.completions[state.nextNumber] = (subject, buffer)
            return state.nextNumber
        }
    }

    func removeCompletion(_ number: Int) {
        // The removed buffer is released outside the lock.
        _ = state.withLock { $0.completions.removeValue(forKey: number) }
    }

    /// The number of completion handlers that have not been called.
    var completionCount: Int { state.withLock { $0.completions.count } }

    /// Cancels all current tasks. Completion handlers that have not been called yet are called with the cancellation.
    func cancelAll() {
        let (tasks, completions) = state.withLock { (Array($0.tasks.values), $0.completions) }
        for (_, task) in tasks.sorted(by: { $0.number < $1.number }) { task.cancel() }
        // For the completions of tasks that have already ended. For the others it makes no difference.
        for (_, completion) in completions {
            completion.buffer.revoke(ImageError.cancelled(stage: .load).about(completion.subject))
        }
    }
}
