/// A list of requests that a prefetcher goes through.
///
/// ```swift
/// for await progress in token { show(progress.finished, of: progress.total) }
/// ```
///
/// As a sequence it is the list's progress from now on, beginning with the latest; it ends when the list does. Any
/// number of listeners may iterate; a slow one gets the latest progress alone. The list goes on without its token.
/// Thread-safe.
public final class PrefetchToken: Sendable {
    private struct State {
        var progress: PrefetchProgress
        /// The queue that goes through the list; nil after its end.
        var queue: PrefetchQueue?
        /// The waiters for a change.
        var waiting: [Int: OneShot<Void>] = [:]
        var nextTicket = 0
    }

    private let state: Lock<State>

    /// - Parameter queue: The queue that goes through the list; nil if the list is empty.
    init(total: Int, queue: PrefetchQueue?) {
        state = Lock(State(progress: PrefetchProgress(finished: 0, skipped: 0, total: total), queue: queue))
    }

    /// Whether the list has ended: each request has, or it was cancelled.
    public var isFinished: Bool { state.withLock { $0.queue == nil } }

    /// The counts when the list has ended; of a cancelled list those until then. Cancelling the task that awaits it
    /// does not cancel the list: the task gets the counts until then.
    ///
    /// A cancelled list may count one request more than its progress closure was told of: a request counts before the
    /// delegate is told, and the closure, which comes after the delegate, is not called once the list is cancelled.
    public var completion: PrefetchProgress {
        get async {
            for await _ in self {}
            return state.withLock { $0.progress }
        }
    }

    /// Ends the list, at once; loads that have no other waiter stop. Does nothing when it has ended.
    ///
    /// A call to the list's closure that is under way on another thread meanwhile is the last one.
    public func cancel() {
        state.withLock { $0.queue }?.cancel(self)
    }

    /// Tells the listeners the progress of the list. Does nothing after its end.
    /// - Parameter isLast: Whether this is its end.
    func announce(_ progress: PrefetchProgress, isLast: Bool = false) {
        // The queue goes with what is handed out, and not under the lock.
        let (waiting, _) = state.withLock { state -> ([OneShot<Void>], PrefetchQueue?) in
            guard let queue = state.queue else { return ([], nil) }
            state.progress = progress
            if isLast { state.queue = nil }
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), queue)
        }
        for change in waiting { change.resolve(.success(())) }
    }

    /// The latest progress, as soon as it is another than `seen`; nil when there will be no other, and when the task
    /// that waits is cancelled.
    fileprivate func progress(after seen: PrefetchProgress?) async -> PrefetchProgress? {
        while !Task.isCancelled {
            let change = OneShot<Void>()
            let (latest, ticket) = state.withLock { state -> (PrefetchProgress?, Int?) in
                guard state.progress == seen else { return (state.progress, nil) }
                guard state.queue != nil else { return (nil, nil) }
                defer { state.nextTicket += 1 }
                state.waiting[state.nextTicket] = change
                return (nil, state.nextTicket)
            }
            guard let ticket else { return latest }
            await withTaskCancellationHandler {
                _ = try? await change.value()
            } onCancel: {
                _ = state.withLock { $0.waiting.removeValue(forKey: ticket) }
                change.resolve(.success(()))
            }
        }
        return nil
    }
}

extension PrefetchToken: AsyncSequence {
    public typealias Element = PrefetchProgress
    public typealias Failure = Never

    /// The progress for one listener.
    public func makeAsyncIterator() -> Iterator { Iterator(token: self) }

    /// Goes through the progress for one listener.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = Never

        private let token: PrefetchToken
        private var latest: PrefetchProgress?

        fileprivate init(token: PrefetchToken) { self.token = token }

        /// The next progress; nil after the last, and when the task that listens is cancelled.
        public mutating func next() async -> PrefetchProgress? {
            guard let next = await token.progress(after: latest) else { return nil }
            latest = next
            return next
        }
    }
}
