/// The handle of a list of requests that a prefetcher processes.
///
/// ```swift
/// for await progress in token { show(progress.finished, of: progress.total) }
/// ```
///
/// As a sequence, a token yields the latest progress and then each change, and ends with the list. Any number of
/// listeners may iterate; a slow one receives only the latest progress. The list continues if its token is released.
/// Thread-safe.
public final class PrefetchToken: Sendable {
    private struct State {
        var progress: PrefetchProgress
        /// The queue that processes the list; nil once the list has ended.
        var queue: PrefetchQueue?
        /// The listeners that wait for a change.
        var waiting: [Int: OneShot<Void>] = [:]
        var nextTicket = 0
    }

    private let state: Lock<State>

    /// Creates the token of a list of `total` requests.
    /// - Parameter queue: The queue that processes the list; nil if the list is empty.
    init(total: Int, queue: PrefetchQueue?) {
        state = Lock(State(progress: PrefetchProgress(finished: 0, skipped: 0, total: total), queue: queue))
    }

    /// Whether the list has ended: all requests have ended, or the list was cancelled.
    public var isFinished: Bool { state.withLock { $0.queue == nil } }

    /// The final counts of the list. Waits until the list ends. If the list is cancelled, the counts cover the requests
    /// that had ended by then.
    ///
    /// Cancelling the task that awaits this property does not cancel the list. The task then receives the counts so
    /// far.
    ///
    /// The counts of a cancelled list may include one request more than the last call of its progress closure reported.
    /// The reason is that a request is counted before it is reported, and that the closure is not called after the
    /// cancellation.
    public var completion: PrefetchProgress {
        get async {
            for await _ in self {}
            return state.withLock { $0.progress }
        }
    }

    /// Ends the list immediately. Stops the loads for which no other request waits. Does nothing if the list has ended.
    ///
    /// If the list's progress closure is running on another thread at that time, that call is the last one.
    public func cancel() {
        state.withLock { $0.queue }?.cancel(self)
    }

    /// Announces the progress of the list to listeners. Does nothing after the end of the list.
    /// - Parameter isLast: Whether the list has ended.
    func announce(_ progress: PrefetchProgress, isLast: Bool = false) {
        // The queue is returned, so that it is not released under the lock.
        let (waiting, _) = state.withLock { state -> ([OneShot<Void>], PrefetchQueue?) in
            guard let queue = state.queue else { return ([], nil) }
            state.progress = progress
            if isLast { state.queue = nil }
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), queue)
        }
        for change in waiting { change.resolve(.success(())) }
    }

    /// Returns the progress as soon as it differs from `seen`; nil if the list ends first or the task is cancelled.
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

    /// Returns an iterator over the progress, for one listener.
    public func makeAsyncIterator() -> Iterator { Iterator(token: self) }

    /// An iterator over the progress, for one listener.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = Never

        private let token: PrefetchToken
        private var latest: PrefetchProgress?

        fileprivate init(token: PrefetchToken) { self.token = token }

        /// Returns the next progress. Returns nil after the last one, or if the calling task is cancelled.
        public mutating func next() async -> PrefetchProgress? {
            guard let next = await token.progress(after: latest) else { return nil }
            latest = next
            return next
        }
    }
}
