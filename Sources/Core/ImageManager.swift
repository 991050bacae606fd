import Synchronization

/// Loads, decodes, transforms and caches images.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard])
/// let image = try await manager.image(for: url)
/// ```
///
/// What it can do is in its registry, how it does it in its context; requests may say otherwise for themselves. A
/// process has as many managers as it likes. Thread-safe.
public final class ImageManager: Sendable {
    /// The parts that are installed. Parts may be added and removed at any time.
    public let registry: Registry

    let pipeline: Pipeline
    /// Finds out what requests mean.
    let resolver: RequestResolver
    /// The tasks under way.
    let running = RunningTasks()
    /// The deadlines of tasks that have one.
    let deadlines: Deadlines
    /// The cache of requests that are given none.
    let ownCache: any ImageCache
    /// The built-in defaults of this manager.
    private let builtIn: ImageContext
    private let state: Lock<State>
    /// Names the state of this manager among all managers; changes with the context.
    private let stateID: Atomic<UInt64>

    private static let lastStateID = Atomic<UInt64>(0)

    private struct State {
        var context: ImageContext
        /// The listeners of events apart from requests; events of requests reach the context's listener between these.
        var listeners: Listeners
    }

    /// A manager.
    /// - Parameters:
    ///   - plugins: What is installed at the start, in this order: the last one's parts are asked first.
    ///   - context: The values that hold for all requests which do not say otherwise. Unless it sets `imageCache`, the
    ///     manager has a ``TieredCache`` of a ``BoundedMemoryCache`` and a ``DiskCache`` in the user's directory for
    ///     caches; `.off(.imageCache)` means none at all.
    ///   - concurrency: How much is done at once.
    ///   - time: The clocks; tests bring their own.
    public init(
        plugins: [Plugin] = [], context: ImageContext = [], concurrency: Concurrency = Concurrency(),
        time: any TimeSource = SystemTime()
    ) {
        registry = Registry()
        for plugin in plugins { registry.install(plugin) }
        pipeline = Pipeline(registry: registry, concurrency: concurrency, time: time)
        resolver = RequestResolver(pipeline: pipeline)
        deadlines = Deadlines(time: time)
        let state = Lock(
            State(context: context, listeners: Listeners([context], through: pipeline.channels)))
        self.state = state
        let counters = pipeline.counters
        let disk = DiskCache(at: DiskCache.defaultDirectory, time: time) { issue in
            counters.survived(issue)
            let listeners = state.withLock { $0.listeners }
            guard !listeners.isEmpty else { return }
            listeners.tell(
                PipelineEvent(
                    .failed(issue), stage: issue.stage, component: "DiskCache", tier: .disk,
                    subject: issue.subject ?? ""))
        }
        ownCache = TieredCache(memory: BoundedMemoryCache(time: time), data: disk)
        builtIn = [.imageCache(ownCache)]
        stateID = Atomic(Self.nextStateID())
    }

    /// The values that hold for all requests which do not say otherwise. A change holds for requests that begin after
    /// it.
    public var context: ImageContext {
        get { state.withLock { $0.context } }
        set {
            let next = State(context: newValue, listeners: Listeners([newValue], through: pipeline.channels))
            // What was before goes with what is handed out, and not under the lock.
            _ = state.withLock { state -> State in
                defer {
                    state = next
                    stateID.store(Self.nextStateID(), ordering: .releasing)
                }
                return state
            }
        }
    }

    private static func nextStateID() -> UInt64 {
        lastStateID.wrappingAdd(1, ordering: .relaxed).newValue
    }

    // MARK: Loading

    /// Begins loading an image.
    ///
    /// The task is under way when this returns; one whose image is in memory has ended. It goes on if nothing holds
    /// it.
    /// - Parameters:
    ///   - source: A request, a URL, or the text of one.
    ///   - context: Values over those of the request. Default: none.
    @discardableResult
    public func load(_ source: some ImageRequestConvertible, context: ImageContext = ImageContext()) -> ImageTask {
        load(source.imageRequest.adding(context))
    }

    /// - Parameters:
    ///   - hasMissed: Whether memory was asked just now, so that its statistics have the miss.
    ///   - showsPlaceholders: Whether what stands for the image is loaded and shown, where the request names anything.
    ///   - here: Whether the caller waits, on a thread of the pool: then the work begins on it.
    ///   - isCancelled: Whether the caller was cancelled before: then it does not begin.
    private func load(
        _ request: ImageRequest, hasMissed: Bool = false, showsPlaceholders: Bool = true, here: Bool = false,
        isCancelled: Bool = false
    ) -> ImageTask {
        let layers = layers(for: request)
        let resolved: ResolvedRequest?
        do {
            resolved = try resolver.resolvedAtOnce(request, layers)
        } catch {
            let span = pipeline.begin(request, resolver.listeners(of: layers))
            let task = ImageTask(request: request, priority: .normal, span: span)
            task.finish(.failure(error.about(request.subject)))
            return task
        }
        // A processor may still change the priority: until it has spoken, what it will be given holds.
        let context = resolved?.context ?? ResolvedContext(layers: layers.layers)
        if let resolved, resolved.endsInMemory,
            let image = pipeline.imageInMemory(resolved, countsMiss: !hasMissed)
        {
            pipeline.noteHit(request, resolved)
            let task = ImageTask(request: request, priority: context[.priority])
            task.finish(.success(ImageResponse(request: request, image: image, source: .memory)))
            return task
        }
        let span = pipeline.begin(request, resolved?.listeners ?? resolver.listeners(of: layers))
        let task = ImageTask(request: request, priority: context[.priority], span: span)
        task.enter(running)
        if let timeout = context[.timeout] { task.end(after: timeout, by: deadlines) }
        if isCancelled { task.cancel() }
        // Where there is no time at all nothing begins either.
        guard !task.isFinished else { return task }
        var runner = RequestRunner(task: task, layers: layers, resolver: resolver, deadlines: deadlines)
        if showsPlaceholders { runner.loadPlaceholder = { self.load($0, showsPlaceholders: false) } }
        let work = { @Sendable [runner] in await runner.run(resolved) }
        task.attach(here ? Task.startingHere(work) : Task(operation: work))
        return task
    }

    /// Returns the image of a request. Cancelling the Swift task that awaits it cancels the load.
    /// - Parameters:
    ///   - source: A request, a URL, or the text of one.
    ///   - context: Values over those of the request. Default: none.
    public func image(
        for source: some ImageRequestConvertible, context: ImageContext = ImageContext()
    ) async throws(ImageError) -> Image {
        try await response(for: source, context: context).image
    }

    /// Returns the image of a request, and where it came from. Cancelling the Swift task that awaits it cancels the
    /// load.
    /// - Parameters:
    ///   - source: A request, a URL, or the text of one.
    ///   - context: Values over those of the request. Default: none.
    public func response(
        for source: some ImageRequestConvertible, context: ImageContext = ImageContext()
    ) async throws(ImageError) -> ImageResponse {
        let request = source.imageRequest.adding(context)
        let resolved = resolvedAtOnce(request)
        if let resolved, resolved.endsInMemory, let image = pipeline.imageInMemory(resolved) {
            pipeline.noteHit(request, resolved)
            return ImageResponse(request: request, image: image, source: .memory)
        }
        // Nobody sees what is shown until the image is there.
        let isOnPool = ActorIsolation.isNone(#isolation)
        let task = load(
            request, hasMissed: resolved != nil, showsPlaceholders: false, here: isOnPool, isCancelled: Task.isCancelled
        )
        let result = await withTaskCancellationHandler {
            do throws(ImageError) {
                return Result<ImageResponse, ImageError>.success(try await task.response)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    /// The response to a request whose image is in memory; nil otherwise. Returns at once.
    ///
    /// A request that has an options processor or a key filter is answered only after it has been loaded once, since
    /// these may take their time. A request for a file is answered where the system tells the file's version without
    /// waiting, as it does of files that were lately used.
    /// - Parameters:
    ///   - source: A request, a URL, or the text of one.
    ///   - context: Values over those of the request. Default: none.
    public func cachedResponse(
        for source: some ImageRequestConvertible, context: ImageContext = ImageContext()
    ) -> ImageResponse? {
        let request = source.imageRequest.adding(context)
        guard let resolved = resolvedAtOnce(request), let image = pipeline.imageInMemory(resolved) else {
            return nil
        }
        pipeline.noteHit(request, resolved)
        return ImageResponse(request: request, image: image, source: .memory)
    }

    // MARK: Resolving

    func layers(for request: ImageRequest) -> RequestResolver.Layers {
        let (id, context) = state.withLock { (stateID.load(ordering: .relaxed), $0.context) }
        return (id, [(.builtIn, builtIn), (.manager, context), (.request, request.context)])
    }

    /// Returns the meaning of a request if it can be found out at once.
    private func resolvedAtOnce(_ request: ImageRequest) -> ResolvedRequest? {
        if let known = resolver.remembered(request, in: stateID.load(ordering: .acquiring)) { return known }
        return try? resolver.resolvedAtOnce(request, layers(for: request))
    }
}
