/// The tasks of a manager that are under way, and the completions that have not been called. A task leaves at its end,
/// and is kept until then; its completion may still have to wait for its turn.
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [ObjectIdentifier: (number: Int, task: ImageTask)] = [:]
        var completions: [Int: (subject: String, buffer: EventBuffer)] = [:]
        var nextNumber = 0
    }

    private let state = Lock(State())

    /// The tasks in the order in which they came.
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

    /// Takes note of a completion that is to be called.
    /// - Parameters:
    ///   - buffer: Where it finds what it is told.
    ///   - request: What it is told of.
    /// - Returns: What it leaves by.
    func insertCompletion(at buffer: EventBuffer, of request: ImageRequest) -> Int {
        let subject = request.subject
        return state.withLock { state in
            defer { state.nextNumber += 1 }
            state.completions[state.nextNumber] = (subject, buffer)
            return state.nextNumber
        }
    }

    func removeCompletion(_ number: Int) {
        // What it holds goes when the lock is free again.
        _ = state.withLock { $0.completions.removeValue(forKey: number) }
    }

    /// The number of completions that have not been called.
    var completionCount: Int { state.withLock { $0.completions.count } }

    /// Ends all that is here now as cancelled.
    func cancelAll() {
        let (tasks, completions) = state.withLock { (Array($0.tasks.values), $0.completions) }
        for (_, task) in tasks.sorted(by: { $0.number < $1.number }) { task.cancel() }
        // Those of tasks that have ended before. For the others it makes no difference.
        for (_, completion) in completions {
            completion.buffer.revoke(ImageError.cancelled(stage: .load).about(completion.subject))
        }
    }
}
