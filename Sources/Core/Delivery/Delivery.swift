public import Dispatch

/// The place where the callbacks of a load are called.
///
/// Wherever that is, those of one load are called one at a time and in order, never under a lock.
@nonexhaustive
public enum Delivery: Sendable {
    /// On whatever thread it happened, at once: before `load` returns for a hit in memory, in the midst of
    /// ``ImageTask/cancel()``. They must return soon, since they hold up what else would run on that thread. Where a
    /// completion loads what is in memory, the next completion is called within it: long chains overflow the stack.
    case inline
    /// On the main actor: at once for what happens there, so that a hit in memory comes before `load` returns and
    /// nothing flickers, else when its turn comes.
    ///
    /// Its turn comes where something runs the main actor: an `async` main function, `dispatchMain()`, a run loop.
    /// Where nothing does, as in a program that waits in its main thread, the callbacks are never called.
    case mainActor
    /// On a queue, always in its turn. They may block as long as the queue may: one of one's own, not a global one,
    /// whose threads all tasks share.
    case queue(DispatchQueue)
    /// On a task executor, always in their turn.
    case executor(any TaskExecutor)
}

extension Delivery {
    /// The delivery as text, for explanations.
    var text: String {
        switch self {
        case .inline: "inline"
        case .mainActor: "mainActor"
        case .queue(let queue): "queue \(queue.label)"
        case .executor(let executor): typeName(of: executor)
        }
    }

    /// Calls `body` there: on the main actor at once where this runs there.
    func perform(_ body: @escaping @Sendable () -> Void) {
        guard case .mainActor = self, Self.isOnMainQueue, Self.depth.withLock({ $0 }) < Self.maxDepth else {
            return performLater(body)
        }
        Self.depth.withLock { $0 += 1 }
        defer { Self.depth.withLock { $0 -= 1 } }
        body()
    }

    /// Calls `body` there when its turn comes, where there are turns.
    func performLater(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .inline:
            body()
        case .mainActor:
            // Detached, here and below: a callback has nothing to do with the task that it happened in.
            Task.detached { @MainActor in body() }
        case .queue(let queue):
            queue.async(execute: body)
        case .executor(let executor):
            Task.detached(executorPreference: executor) { body() }
        }
    }

    /// The maximum depth of nested calls on the main queue: a completion whose load ends at once has its own completion
    /// called within itself, and a stack is not endless.
    private static let maxDepth = 32

    /// The depth of nested calls. Only the main queue uses it. It is in a lock for race detectors, and is no task-local
    /// value, which tasks that a callback begins would inherit.
    private static let depth = Lock(0)

    /// The mark of the main queue.
    private static let mark: DispatchSpecificKey<Void> = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()

    /// Whether this runs on the main queue, which is where the main actor runs. The thread says nothing: on Linux it
    /// may be any, once `dispatchMain()` has given up the first one.
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mark) != nil }
}
