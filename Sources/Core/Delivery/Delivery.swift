public import Dispatch

/// The place where the callbacks of a load are called.
///
/// The callbacks of one load are called one at a time and in order, never under a lock.
@nonexhaustive
public enum Delivery: Sendable {
    /// Immediately, on the thread on which the event occurs. A hit in memory is delivered before `load` returns, and a
    /// cancellation before ``ImageTask/cancel()`` returns. An event that occurs while a callback of the same load runs
    /// is delivered after that callback, on the same thread.
    ///
    /// Callbacks must return soon, since they delay other work of that thread. If a completion begins another load
    /// whose image is in memory, the completion of that other load is called before `load` returns, so within the first
    /// completion. Long chains of such loads overflow the stack.
    case inline
    /// On the main actor. An event that occurs on the main actor is delivered immediately, so that a hit in memory
    /// arrives before `load` returns and nothing flickers. However, an event that directly follows another event of the
    /// load, or that occurs within 32 nested callbacks, is delivered asynchronously. Events that occur outside the main
    /// actor are always delivered asynchronously.
    ///
    /// The program must run the main actor, with an `async` main function, `dispatchMain()` or a run loop. If it does
    /// not, the callbacks are never called.
    case mainActor
    /// On a queue, always asynchronously. Callbacks may block if the queue allows that. Use a queue of your own: global
    /// queues share their threads with Swift tasks, so blocking callbacks would delay those tasks.
    case queue(DispatchQueue)
    /// On a task executor, always asynchronously.
    case executor(any TaskExecutor)
}

extension Delivery {
    /// A description of the delivery, for explanations.
    var text: String {
        switch self {
        case .inline: "inline"
        case .mainActor: "mainActor"
        case .queue(let queue): "queue \(queue.label)"
        case .executor(let executor): typeName(of: executor)
        }
    }

    /// Calls `body` immediately if the delivery and the caller are both on the main actor, and fewer than ``maxDepth``
    /// such calls are nested. Otherwise calls `body` as ``performLater(_:)`` does.
    func perform(_ body: @escaping @Sendable () -> Void) {
        guard case .mainActor = self, Self.isOnMainQueue, Self.depth.withLock({ $0 }) < Self.maxDepth else {
            return performLater(body)
        }
        Self.depth.withLock { $0 += 1 }
        defer { Self.depth.withLock { $0 -= 1 } }
        body()
    }

    /// Calls `body` where this delivery specifies: immediately if the delivery is inline, otherwise asynchronously.
    func performLater(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .inline:
            body()
        case .mainActor:
            // Detached, here and below: a callback is independent of the task in which the event occurred.
            Task.detached { @MainActor in body() }
        case .queue(let queue):
            queue.async(execute: body)
        case .executor(let executor):
            Task.detached(executorPreference: executor) { body() }
        }
    }

    /// The maximum depth of nested calls on the main queue. Without a limit, a long chain of completions would overflow
    /// the stack if each of them begins a load that ends at once.
    private static let maxDepth = 32

    /// The depth of nested calls on the main queue. The lock serves only to satisfy race detectors. A task-local value
    /// would not work: tasks that a callback begins would inherit it.
    private static let depth = Lock(0)

    /// The key that marks the main queue.
    private static let mark: DispatchSpecificKey<Void> = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()

    /// Whether the caller runs on the main queue, where the main actor runs. Checking for the main thread would be
    /// wrong: on Linux, any thread may run the main queue after `dispatchMain()` has ended the main thread.
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mark) != nil }
}
