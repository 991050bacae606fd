/// A running request.
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
/// A task begins when it is created, and runs to its end with or without listeners, unless it is cancelled. Any number
/// of listeners may begin at any time; a late listener first receives the latest events. Thread-safe.
public final class ImageTask: Sendable {
    private struct State {
        var progress: LoadProgress?
        var preview: (image: Image, kind: PreviewKind)?
        var cached: ImageResponse?
        /// The resolved request, once it is known.
        var resolved: ResolvedRequest?
        var result: Result<ImageResponse, ImageError>?
        var listeners: [Int: EventBuffer] = [:]
        var nextListener = 0
        /// The buffer of the events for callbacks. It is kept after the end of the task: as long as the completion has
        /// not been called, cancelling the task replaces the result in the buffer.
        var callbacks: EventBuffer?
        var work: Task<Void, Never>?
        /// The manager's running tasks, which contain this task until its end.
        var running: RunningTasks?
        /// The deadline of the task.
        var deadline: Deadlines.Deadline?
    }

    /// A waiter that passes the previews and the progress of work to its task. The waiter does not retain the task.
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

        func report(_ report: WorkReport) { owner.withLock { $0.task }?.receive(report) }
    }

    /// The request of the task.
    public let request: ImageRequest

    private let state = Lock(State())
    /// The waiter for the task's work. It has the task's priority, and receives progress and previews.
    let waiter: any Waiter
    /// The span that counts and reports the end of the request; nil if memory answered the request at once.
    private let span: RequestSpan?

    init(request: ImageRequest, priority: Priority, span: RequestSpan? = nil) {
        self.request = request
        self.span = span
        let waiter = TaskWaiter(priority: priority, requestID: span?.id)
        self.waiter = waiter
        waiter.setOwner(self)
    }

    /// The priority of the task. A change applies at once, also to shared work, which has the priority of its most
    /// urgent waiter.
    public var priority: Priority {
        get { waiter.demand.priority }
        set { waiter.demand.priority = newValue }
    }

    /// Whether the task has ended.
    public var isFinished: Bool { state.withLock { $0.result != nil } }

    /// Cancels the task: it ends at once with the error `cancelled`, and work without other waiters stops.
    ///
    /// A task that has ended keeps its result. But if its completion has not been called yet, the completion receives
    /// `cancelled` instead.
    public func cancel() {
        let error = ImageError.cancelled(stage: .load).about(request.subject)
        guard !finish(.failure(error)) else { return }
        state.withLock { $0.callbacks }?.revoke(error)
    }

    /// The response, as soon as it is available.
    ///
    /// Cancelling the Swift task that awaits the response ends only that wait, with the code `cancelled`. The image
    /// task continues, since other Swift tasks may await it too. (In Nuke, cancelling the Swift task cancels its image
    /// task.) To end the image task, call ``cancel()``, or use ``ImageManager/image(for:context:)``, whose load belongs
    /// to the Swift task that awaits it.
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

    /// The events from now on, beginning with the latest. The task itself is the same sequence of events.
    public var events: ImageTask { self }

    /// Ends the task on the first call; later calls do nothing. Returns whether the call ended the task.
    @discardableResult
    func finish(_ result: Result<ImageResponse, ImageError>) -> Bool {
        let source = result.map(\.source)
        let event = span?.endEvent(source)
        // The former state is released outside the lock.
        let former = state.withLock { state -> State? in
            guard state.result == nil else { return nil }
            let former = state
            // These steps come before other threads can read the result, so that its readers find the end reported and
            // counted, and the task removed from the running ones. None of them calls client code.
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
        // This stops the work after a cancellation or a timeout. After a success the work has ended anyway.
        former.work?.cancel()
        for listener in former.listeners.values { listener.end(result) }
        return true
    }

    /// Sets the work to cancel when the task ends. If the task has already ended, cancels the work at once.
    func attach(_ work: Task<Void, Never>) {
        let isOver = state.withLock { state in
            guard state.result == nil else { return true }
            state.work = work
            return false
        }
        if isOver { work.cancel() }
    }

    /// Adds the task to the running ones until its end.
    func enter(_ running: RunningTasks) {
        state.withLock { state in
            guard state.result == nil else { return }
            running.insert(self)
            state.running = running
        }
    }

    /// Replaces the deadline of the task. The deadline is cancelled at the end of the task.
    func setDeadline(_ deadline: Deadlines.Deadline?) {
        let gone = state.withLock { state -> Deadlines.Deadline? in
            guard state.result == nil else { return deadline }
            defer { state.deadline = deadline }
            return state.deadline
        }
        gone?.cancel()
    }

    /// Ends the task with `timedOut` after `timeout` from now on. Replaces an earlier timeout; nil removes it.
    func end(after timeout: Duration?, by deadlines: Deadlines) {
        let deadline = timeout.map { timeout in
            deadlines.add(after: timeout) { [weak self] in
                guard let self else { return }
                finish(.failure(ImageError.tookLonger(than: timeout).about(request.subject)))
            }
        }
        setDeadline(deadline)
    }

    /// The resolved request, once it is known; nil for a task that memory answered at once.
    var resolved: ResolvedRequest? { state.withLock { $0.resolved } }

    /// Applies the resolved request's settings for previews and for the scale to the task.
    func prepare(_ resolved: ResolvedRequest) {
        state.withLock { $0.resolved = resolved }
        guard resolved.context[.progressiveLoad] else { return }
        waiter.demand.change { $0.wantsPreviews = true }
    }

    private func receive(_ report: WorkReport) {
        if let progress = report.progress {
            let listeners = state.withLock { state -> [EventBuffer] in
                guard state.result == nil else { return [] }
                state.progress = progress
                return Array(state.listeners.values)
            }
            for listener in listeners { listener.put(progress) }
        }
        if waiter.demand.value.wantsPreviews, let preview = report.preview { show(preview, as: .partial) }
    }

    /// Shows an image until the requested one is available, unless a better one is already shown.
    func show(_ preview: Image, as kind: PreviewKind) {
        let (listeners, shown) = state.withLock { state -> ([EventBuffer], Image) in
            let shown = preview.scaled(by: state.resolved?.scale ?? 1)
            // A preview never replaces the cached image.
            guard state.result == nil, state.cached == nil, kind.mayReplace(state.preview?.kind) else {
                return ([], shown)
            }
            state.preview = (shown, kind)
            return (Array(state.listeners.values), shown)
        }
        for listener in listeners { listener.put(shown, as: kind) }
    }

    /// Shows the cached image, before its source is asked whether it is still valid.
    func show(_ cached: ImageResponse) {
        let listeners = state.withLock { state -> [EventBuffer] in
            // Of several URLs that are tried in turn, only the first cached image is shown.
            guard state.result == nil, state.cached == nil else { return [] }
            state.cached = cached
            state.preview = nil
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.put(cached) }
    }

    /// Returns a buffer of events for a new listener, and the token for `stopListening`.
    func listen() -> (EventBuffer, Int) {
        let buffer = EventBuffer()
        let (token, result) = state.withLock { state -> (Int, Result<ImageResponse, ImageError>?) in
            defer { state.nextListener += 1 }
            guard state.result == nil else { return (state.nextListener, state.result) }
            // Filled before other threads can add newer events. Nothing waits for the buffer yet, so nothing is called
            // under the lock.
            if let progress = state.progress { buffer.put(progress) }
            if let preview = state.preview { buffer.put(preview.image, as: preview.kind) }
            if let cached = state.cached { buffer.put(cached) }
            state.listeners[state.nextListener] = buffer
            return (state.nextListener, nil)
        }
        if let result { buffer.end(result) }
        return (buffer, token)
    }

    /// Returns the buffer of events for the callbacks that the task was begun with. Called only once.
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

    /// Returns an iterator over the events for a new listener.
    public func makeAsyncIterator() -> Iterator { Iterator(task: self) }

    /// An iterator over the events for one listener.
    public struct Iterator: AsyncIteratorProtocol {
        /// A subscription that ends when the last copy of the iterator is released.
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

        /// Returns the next event; nil after `.finished`. Throws the `ImageError` that the image task ended with, or
        /// `CancellationError` if the listening task is cancelled. Cancelling the listening task does not cancel the
        /// image task.
        public mutating func next() async throws -> ImageEvent? {
            try await listening.buffer.next()
        }
    }
}
