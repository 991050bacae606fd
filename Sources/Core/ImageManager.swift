import Synchronization

/// A manager that loads, decodes, transforms and caches images.
///
/// ```swift
/// let manager = ImageManager(plugins: [.standard])
/// let image = try await manager.image(for: url)
/// ```
///
/// The ``registry`` contains the manager's components. The ``context`` contains the values for all requests, which each
/// request may override. A process may have any number of managers. Thread-safe.
public final class ImageManager: Sendable {
    /// The installed components. Components may be added and removed at any time.
    public let registry: Registry

    let pipeline: Pipeline
    /// The resolver of requests.
    let resolver: RequestResolver
    /// The running tasks.
    let running = RunningTasks()
    /// The deadlines of running requests that have a timeout.
    let deadlines: Deadlines
    /// The manager's own cache. A request uses it if neither the request nor the manager's context sets a cache.
    let ownCache: any ImageCache
    /// The built-in defaults of this manager, which contain its own cache.
    private let builtIn: ImageContext
    private let state: Lock<State>
    /// A number that identifies the manager and its current context. The remembered result of resolving a request is
    /// valid only while this number is the same.
    private let stateID: Atomic<UInt64>

    private static let lastStateID = Atomic<UInt64>(0)

    private struct State {
        var context: ImageContext
        /// The listeners in the context, for events that belong to no request.
        var listeners: Listeners
    }

    /// Creates a manager.
    /// - Parameters:
    ///   - plugins: The plugins to install, in this order: the components of the last one are asked first.
    ///   - context: The values for all requests that do not override them. Unless it sets `imageCache`, the manager
    ///     uses a ``TieredCache`` of a ``BoundedMemoryCache`` and a ``DiskCache`` in the user's directory for caches;
    ///     `.off(.imageCache)` turns caching off.
    ///   - concurrency: The limits on concurrent work.
    ///   - time: The clocks, which tests can replace.
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
            counters.noteIssue(issue)
            let listeners = state.withLock { $0.listeners }
            guard !listeners.isEmpty else { return }
            listeners.tell(
                PipelineEvent(
                    .issue(issue), stage: issue.stage, component: "DiskCache", tier: .disk,
                    subject: issue.subject ?? ""))
        }
        ownCache = TieredCache(memory: BoundedMemoryCache(time: time), disk: disk)
        builtIn = [.imageCache(ownCache)]
        stateID = Atomic(Self.nextStateID())
    }

    /// The values for all requests that do not override them. A change applies to requests that begin after it.
    public var context: ImageContext {
        get { state.withLock { $0.context } }
        set {
            let next = State(context: newValue, listeners: Listeners([newValue], through: pipeline.channels))
            // The former state is released outside the lock.
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
    /// When this method returns, the task is running or has already ended, for example because the image was in memory
    /// or the request is invalid. The task continues even if nothing retains it.
    /// - Parameters:
    ///   - source: A request, a URL, or a URL as text.
    ///   - context: Values that override those of the request. Default: none.
    @discardableResult
    public func load(_ source: some ImageRequestConvertible, context: ImageContext = ImageContext()) -> ImageTask {
        load(source.imageRequest.adding(context))
    }

    /// Begins loading an image. The task may already have ended, for example because the image was in memory.
    /// - Parameters:
    ///   - hasMissed: Whether the memory cache was just asked in vain. If true, the miss is not counted again.
    ///   - here: Whether the work begins on the current thread. The thread must belong to the pool that tasks share,
    ///     and the caller must wait for the result.
    ///   - isCancelled: Whether the caller was already cancelled, so that no work begins.
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
        // An options processor may still change the priority. Until it has run, the priority that it receives applies.
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
        // With a timeout of zero, or for a caller that was cancelled, nothing begins.
        guard !task.isFinished else { return task }
        var runner = RequestRunner(
            task: task, layers: layers, resolver: resolver, deadlines: deadlines, preparation: preparation)
        if showsPlaceholders { runner.loadPlaceholder = { self.load($0, showsPlaceholders: false) } }
        let work = { @Sendable [runner] in await runner.run(resolved) }
        task.attach(here ? Task.startingHere(work) : Task(operation: work))
        return task
    }

    /// Returns the image of a request. Cancelling the Swift task that awaits the result cancels the load.
    /// - Parameters:
    ///   - source: A request, a URL, or a URL as text.
    ///   - context: Values that override those of the request. Default: none.
    public func image(
        for source: some ImageRequestConvertible, context: ImageContext = ImageContext()
    ) async throws(ImageError) -> Image {
        let request = source.imageRequest.adding(context)
        let (hit, wasAsked) = memoryHit(of: request)
        if let hit { return hit }
        return try await loadedResponse(to: request, hasMissed: wasAsked).image
    }

    /// Returns the response to a request: the image, and details such as the source that it came from. Cancelling the
    /// Swift task that awaits the result cancels the load.
    /// - Parameters:
    ///   - source: A request, a URL, or a URL as text.
    ///   - context: Values that override those of the request. Default: none.
    public func response(
        for source: some ImageRequestConvertible, context: ImageContext = ImageContext()
    ) async throws(ImageError) -> ImageResponse {
        let request = source.imageRequest.adding(context)
        let (hit, wasAsked) = memoryHit(of: request)
        if let hit { return ImageResponse(request: request, image: hit, source: .memory) }
        return try await loadedResponse(to: request, hasMissed: wasAsked)
    }

    /// Returns the image of a request if the memory cache has it, and whether the cache was asked. Does not wait.
    private func memoryHit(of request: ImageRequest) -> (image: Image?, wasAsked: Bool) {
        guard let resolved = resolvedAtOnce(request), resolved.endsInMemory else { return (nil, false) }
        guard let image = pipeline.imageInMemory(resolved) else { return (nil, true) }
        pipeline.noteHit(request, resolved)
        return (image, true)
    }

    /// Loads the image of a request. Cancelling the current Swift task cancels the load.
    /// - Parameter hasMissed: Whether the memory cache was just asked in vain. If true, the miss is not counted again.
    private func loadedResponse(to request: ImageRequest, hasMissed: Bool) async throws(ImageError) -> ImageResponse {
        // Placeholders are left out, since no listener could receive them.
        let isOnPool = ActorIsolation.isNone(#isolation)
        let task = load(
            request, hasMissed: hasMissed, showsPlaceholders: false, here: isOnPool, isCancelled: Task.isCancelled)
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

    /// Returns the response to a request if the image is in memory, and nil otherwise. Returns at once.
    ///
    /// A request with an options processor or a key filter is answered only if `context` is empty and the same
    /// ``ImageRequest``, or a copy of it, was resolved before, for example for a load. The processor and the filter may
    /// be slow, and are not called here. A request for a file is answered only if the system returns the version of the
    /// file without waiting, as it does for files that were used recently. A request whose transformers need other
    /// images (``ComposingTransformer``) is not answered.
    /// - Parameters:
    ///   - source: A request, a URL, or a URL as text.
    ///   - context: Values that override those of the request. Default: none.
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

    /// The loading of images that transformers need.
    var preparation: TransformerPreparation {
        TransformerPreparation(lane: pipeline.lanes.transforming) { self.load($0, showsPlaceholders: false) }
    }

    func layers(for request: ImageRequest) -> RequestResolver.Layers {
        let (id, context) = state.withLock { (stateID.load(ordering: .relaxed), $0.context) }
        return (id, [(.builtIn, builtIn), (.manager, context), (.request, request.context)])
    }

    /// Returns the resolved request if it can be resolved without waiting, and nil otherwise.
    private func resolvedAtOnce(_ request: ImageRequest) -> ResolvedRequest? {
        if let known = resolver.remembered(request, in: stateID.load(ordering: .acquiring)) { return known }
        return try? resolver.resolvedAtOnce(request, layers(for: request))
    }
}
