/// The tasks of a manager that are under way. Each leaves at its end, and is kept until then.
final class RunningTasks: Sendable {
    private struct State {
        var tasks: [ObjectIdentifier: (number: Int, task: ImageTask)] = [:]
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
}
