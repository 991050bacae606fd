public import Dispatch

/// Where the callbacks of a load are called.
///
/// Wherever that is, those of one load are called one at a time and in order, never under a lock.
@nonexhaustive
public enum Delivery: Sendable {
    /// On whatever thread it happened, at once: before `load` returns for a hit in memory, in the midst of
    /// ``ImageTask/cancel()``. They must return soon, since they hold up what else would run on that thread.
    case inline
    /// On the main actor: at once for what happens there, so that a hit in memory comes before `load` returns and
    /// nothing flickers, else when its turn comes.
    ///
    /// Its turn comes where something runs the main actor: an `async` main function, `dispatchMain()`, a run loop.
    /// Where nothing does, as in a program that waits in its main thread, the callbacks are never called.
    case mainActor
    /// On a queue, always in its turn. They may block as long as the queue may.
    case queue(DispatchQueue)
    /// On a task executor, always in their turn.
    case executor(any TaskExecutor)
}

extension Delivery {
    /// As text, for explanations.
    var text: String {
        switch self {
        case .inline: "inline"
        case .mainActor: "mainActor"
        case .queue(let queue): "queue \(queue.label)"
        case .executor(let executor): typeName(of: executor)
        }
    }

    /// Calls `body` there.
    func perform(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .inline:
            body()
        case .mainActor:
            // Detached, here and below: whoever is told has nothing to do with the task that it happened in.
            guard Self.isOnMainQueue else {
                Task.detached { @MainActor in body() }
                return
            }
            body()
        case .queue(let queue):
            queue.async(execute: body)
        case .executor(let executor):
            Task.detached(executorPreference: executor) { body() }
        }
    }

    /// What marks the main queue.
    private static let mark: DispatchSpecificKey<Void> = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()

    /// Whether this runs on the main queue, which is where the main actor runs. The thread says nothing: on Linux it
    /// may be any, once `dispatchMain()` has given up the first one.
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mark) != nil }
}
