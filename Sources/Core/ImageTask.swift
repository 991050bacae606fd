/// A request under way.
///
/// ```swift
/// let task = manager.load(request)
/// for try await event in task {
///     switch event {
///     case .progress(let progress): print(progress.fraction ?? 0)
///     case .preview(let image, _): show(image)
///     case .cached(let response): show(response.image)
///     case .finished(let response): show(response.image)
///     @unknown default: break
///     }
/// }
/// ```
///
/// It begins when it is made, and runs to its end with or without listeners, unless it is cancelled. Any number of
/// listeners may begin at any moment; a late one gets the latest event first. Thread-safe.
public final class ImageTask: Sendable {
    private struct State {
        var progress: LoadProgress?
        var preview: (image: Image, kind: PreviewKind)?
        var cached: ImageResponse?
        /// The resolved of the request, as soon as it is known.
        var resolved: ResolvedRequest?
        var result: Result<ImageResponse, ImageError>?
        var listeners: [Int: EventBuffer] = [:]
        var nextListener = 0
        /// The events for callbacks. Kept after the end, which may have to be taken back; the callbacks themselves are
        /// released when they have been told.
        var callbacks: EventBuffer?
        var work: Task<Void, Never>?
        /// Among whom the task is while it is under way.
        var running: RunningTasks?
        /// The deadline of the task.
        var deadline: Deadlines.Deadline?
    }

    /// The task as a waiter for previews and progress. It does not retain the task.
    private final class TaskWaiter: Waiter {
        private struct Owner {
            weak var task: ImageTask?
        }

        let requestID: UInt64?
        let demand: Demand
        private let owner = Lock(Owner())

        init(priority: Priority, requestID: UInt64?) {
            self.requestID = requestID
            demand = Demand(priority)
        }

        func setOwner(_ task: ImageTask) { owner.withLock { $0.task = task } }

        func report(_ report: WorkReport) { owner.withLock(\.task)?.receive(report) }
    }

    /// The request that is loaded.
    public let request: ImageRequest

    private let state = Lock(State())
    /// The demand of the task on the work that it waits for, and its handler of progress.
    let waiter: any Waiter
    /// Counts and tells the end; nil if memory has answered on the spot.
    private let span: RequestSpan?

    init(request: ImageRequest, priority: Priority, span: RequestSpan? = nil) {
        self.request = request
        self.span = span
        let waiter = TaskWaiter(priority: priority, requestID: span?.id)
        self.waiter = waiter
        waiter.setOwner(self)
    }

    /// The urgency of the task. A change applies at once, also to shared work, which has the priority of its most
    /// urgent waiter.
    public var priority: Priority {
        get { waiter.demand.priority }
        set { waiter.demand.priority = newValue }
    }

    /// Whether the last event has come.
    public var isFinished: Bool { state.withLock { $0.result != nil } }

    /// Ends the task with the error `cancelled`, at once; work that has no other waiter stops.
    ///
    /// A task that has ended stays as it is; but a completion that has not been called yet, since it waits for its
    /// turn, is told `cancelled` as well.
    public func cancel() {
        let error = ImageError.cancelled(stage: .load).about(request.subject)
        guard !finish(.failure(error)) else { return }
        state.withLock { $0.callbacks }?.revoke(error)
    }

    /// The response, as soon as it is there.
    ///
    /// Cancelling the Swift task that awaits it ends that wait only, with the code `cancelled`: the image task goes on,
    /// since others may await it too. Nuke differs: there, cancelling the Swift task cancels its image task. Call
    /// ``cancel()`` to end the image task, or use ``ImageManager/image(for:context:)``, whose load belongs to the Swift
    /// task that awaits it.
    public var response: ImageResponse {
        get async throws(ImageError) {
            if let result = state.withLock({ $0.result }) { return try result.get() }
            do {
                for try await event in self {
                    if case .finished(let response) = event { return response }
                }
            } catch let error as ImageError {
                throw error
            } catch {
                throw ImageError.loading(error)
            }
            throw ImageError.cancelled(stage: .load).about(request.subject)
        }
    }

    /// The events from now on, beginning with the latest. The task itself is the same sequence.
    public var events: ImageTask { self }

    /// Ends the task, the first time that it is called; later calls do nothing.
    @discardableResult
    func finish(_ result: Result<ImageResponse, ImageError>) -> Bool {
        let source = result.map(\.source)
        let event = span?.endEvent(source)
        // What the task lets go of goes with what is handed out, and not under the lock.
        let former = state.withLock { state -> State? in
            guard state.result == nil else { return nil }
            let former = state
            // Before other threads can read the result: a reader of it finds the end told and counted, and the task
            // gone from among those under way. Nothing of this calls client code.
            span?.end(source, telling: event)
            state.running?.remove(self)
            state.deadline?.cancel()
            state.result = result
            state.preview = nil
            state.cached = nil
            state.listeners = [:]
            state.work = nil
            state.running = nil
            state.deadline = nil
            return former
        }
        guard let former else { return false }
        // On success the work is at its end anyway; on cancelling and time-outs this is what stops it.
        former.work?.cancel()
        for listener in former.listeners.values { listener.end(result) }
        return true
    }

    /// Remembers the work, so that cancelling stops it; stops it now when the task has ended already.
    func attach(_ work: Task<Void, Never>) {
        let isOver = state.withLock { state in
            guard state.result == nil else { return true }
            state.work = work
            return false
        }
        if isOver { work.cancel() }
    }

    /// Takes its place among those under way, until its end.
    func enter(_ running: RunningTasks) {
        state.withLock { state in
            guard state.result == nil else { return }
            running.insert(self)
            state.running = running
        }
    }

    /// Remembers what ends it when it takes too long, in place of what was to do so before; takes it back at the end.
    func setDeadline(_ deadline: Deadlines.Deadline?) {
        let gone = state.withLock { state -> Deadlines.Deadline? in
            guard state.result == nil else { return deadline }
            defer { state.deadline = deadline }
            return state.deadline
        }
        gone?.cancel()
    }

    /// Ends the task with `timedOut` if it takes longer than `timeout` from now on, whatever was said before; nil for
    /// never.
    func end(after timeout: Duration?, by deadlines: Deadlines) {
        let deadline = timeout.map { timeout in
            deadlines.add(after: timeout) { [weak self] in
                guard let self else { return }
                finish(.failure(ImageError.tookLonger(than: timeout).about(request.subject)))
            }
        }
        setDeadline(deadline)
    }

    /// The resolved of the request, as soon as it is known; nil for a task that memory answered at once.
    var resolved: ResolvedRequest? { state.withLock { $0.resolved } }

    /// Takes note of what the request says of previews and of the scale.
    func prepare(_ resolved: ResolvedRequest) {
        state.withLock { $0.resolved = resolved }
        guard resolved.context[.progressiveLoad] else { return }
        waiter.demand.change { $0.wantsPreviews = true }
    }

    private func receive(_ report: WorkReport) {
        let listeners = state.withLock { state -> [EventBuffer] in
            guard state.result == nil else { return [] }
            state.progress = report.progress ?? state.progress
            return Array(state.listeners.values)
        }
        if let progress = report.progress {
            for listener in listeners { listener.put(progress) }
        }
        if waiter.demand.value.wantsPreviews, let preview = report.preview { show(preview, as: .partial) }
    }

    /// Shows an image until the one asked for is there, unless what is shown is better.
    func show(_ preview: Image, as kind: PreviewKind) {
        let (listeners, shown) = state.withLock { state -> ([EventBuffer], Image) in
            let shown = preview.scaled(by: state.resolved?.scale ?? 1)
            // Nothing that is not whole is shown over what a cache had.
            guard state.result == nil, state.cached == nil, kind.mayReplace(state.preview?.kind) else {
                return ([], shown)
            }
            state.preview = (shown, kind)
            return (Array(state.listeners.values), shown)
        }
        for listener in listeners { listener.put(shown, as: kind) }
    }

    /// Shows what a cache had, before the source has said whether it still holds.
    func show(_ cached: ImageResponse) {
        let listeners = state.withLock { state -> [EventBuffer] in
            // Of several URLs that are asked one after another the first has been shown.
            guard state.result == nil, state.cached == nil else { return [] }
            state.cached = cached
            state.preview = nil
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.put(cached) }
    }

    /// A buffer for one more listener, and what ends its listening.
    func listen() -> (EventBuffer, Int) {
        let buffer = EventBuffer()
        let (token, result) = state.withLock { state -> (Int, Result<ImageResponse, ImageError>?) in
            defer { state.nextListener += 1 }
            guard state.result == nil else { return (state.nextListener, state.result) }
            // Before other threads can put something newer into it; nothing waits at it yet, so nothing is called.
            if let progress = state.progress { buffer.put(progress) }
            if let preview = state.preview { buffer.put(preview.image, as: preview.kind) }
            if let cached = state.cached { buffer.put(cached) }
            state.listeners[state.nextListener] = buffer
            return (state.nextListener, nil)
        }
        if let result { buffer.end(result) }
        return (buffer, token)
    }

    /// A buffer for the callbacks that the task was begun with. Called once.
    func listenForCallbacks() -> EventBuffer {
        let (buffer, _) = listen()
        state.withLock { $0.callbacks = buffer }
        return buffer
    }

    fileprivate func stopListening(_ token: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: token) }
    }
}

extension ImageTask: AsyncSequence {
    public typealias Element = ImageEvent

    /// The events for one listener.
    public func makeAsyncIterator() -> Iterator { Iterator(task: self) }

    /// Goes through the events for one listener.
    public struct Iterator: AsyncIteratorProtocol {
        /// Ends listening when the last copy of the iterator goes.
        private final class Listening: Sendable {
            let buffer: EventBuffer
            private let task: ImageTask
            private let token: Int

            init(task: ImageTask) {
                self.task = task
                (buffer, token) = task.listen()
            }

            deinit { task.stopListening(token) }
        }

        private let listening: Listening

        fileprivate init(task: ImageTask) {
            listening = Listening(task: task)
        }

        /// The next event; nil after `.finished`. Throws the `ImageError` that the task ended with, or
        /// `CancellationError` when the task that listens is cancelled, which does not cancel the image task.
        public mutating func next() async throws -> ImageEvent? {
            try await listening.buffer.next()
        }
    }
}
