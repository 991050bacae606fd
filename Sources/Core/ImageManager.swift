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
    ///     manager has a ``TieredCache`` of a ``BoundedMemoryCache`` and a ``DiskCache`` in the user's folder for
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
        deadlines = Deadlines(time: time)
        let state = Lock(
            State(context: context, listeners: Listeners([context], through: pipeline.channels)))
        self.state = state
        let counters = pipeline.counters
        let disk = DiskCache(at: DiskCache.defaultFolder, time: time) { issue in
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
    /// The task is under way when this returns; one whose image is in memory has ended. It goes on when nobody holds
    /// it.
    @discardableResult
    public func load(_ source: some ImageRequestConvertible) -> ImageTask {
        load(source.imageRequest)
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
            resolved = try knownRequest(of: request, layers: layers)
        } catch {
            let span = pipeline.begin(request, listeners(of: layers))
            let task = ImageTask(request: request, priority: .normal, span: span)
            task.finish(.failure(error.about(request.subject)))
            return task
        }
        // A processor may still change the priority: until it has spoken, what it will be given holds.
        let context = resolved?.context ?? ResolvedContext(layers: layers.layers)
        if let resolved, resolved.endsInMemory,
            let image = hasMissed ? pipeline.rememberedMeanwhile(resolved) : pipeline.remembered(resolved)
        {
            pipeline.noteHit(request, resolved)
            let task = ImageTask(request: request, priority: context[.priority])
            task.finish(.success(ImageResponse(request: request, image: image, source: .memory)))
            return task
        }
        let span = pipeline.begin(request, resolved?.listeners ?? listeners(of: layers))
        let task = ImageTask(request: request, priority: context[.priority], span: span)
        task.enter(running)
        if let timeout = context[.timeout] { limit(task, to: timeout) }
        if isCancelled { task.cancel() }
        // Where there is no time at all nothing begins either.
        guard !task.isFinished else { return task }
        let work = { @Sendable [self] in
            await run(task, resolved: resolved, layers: layers, showsPlaceholders: showsPlaceholders)
        }
        task.attach(here ? Task.startingHere(work) : Task(operation: work))
        return task
    }

    /// The image, as soon as it is there. Cancelling the task that awaits it cancels the load.
    public func image(for source: some ImageRequestConvertible) async throws(ImageError) -> Image {
        try await response(for: source).image
    }

    /// The image with where it came from, as soon as it is there. Cancelling the task that awaits it cancels the load.
    public func response(for source: some ImageRequestConvertible) async throws(ImageError) -> ImageResponse {
        let request = source.imageRequest
        let resolved = knownRequest(of: request)
        if let resolved, resolved.endsInMemory, let image = pipeline.remembered(resolved) {
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
    public func cachedResponse(for source: some ImageRequestConvertible) -> ImageResponse? {
        let request = source.imageRequest
        guard let resolved = knownRequest(of: request), let image = pipeline.remembered(resolved) else {
            return nil
        }
        pipeline.noteHit(request, resolved)
        return ImageResponse(request: request, image: image, source: .memory)
    }

    private func knownRequest(of request: ImageRequest) -> ResolvedRequest? {
        if let known = rememberedResolution(of: request, in: stateID.load(ordering: .acquiring)) { return known }
        return try? knownRequest(of: request, layers: layers(for: request))
    }

    /// The rest of a load that memory could not answer, or not be asked for since nobody knew yet what was wanted.
    private func run(
        _ task: ImageTask, resolved known: ResolvedRequest?, layers: Layers, showsPlaceholders: Bool
    ) async {
        let result: Result<ImageResponse, ImageError>
        do {
            let resolved = try await resolved(task, known, layers: layers)
            // A processor may have left it no time.
            guard !task.isFinished else { return }
            task.prepare(resolved)
            let placeholders = showsPlaceholders ? beginPlaceholders(for: task, resolved) : nil
            defer { placeholders?.cancel() }
            result = .success(
                try await pipeline.firstResponse(resolved) { url in
                    try await self.resolved(
                        ImageRequest(url, context: task.request.context), layers: layers, waiter: task.waiter)
                } respond: { other in
                    try await self.response(to: task, other, isFirst: known == nil || other !== resolved)
                })
        } catch {
            result = .failure(
                // Nobody has cancelled it: then the task would have ended, and what is said now be of no waiter.
                ImageError.wrapping(error, as: .loadFailed, stage: .load, message: "failed").asFailure
                    .about(task.request.subject))
        }
        task.finish(result)
    }

    /// Begins to show what stands for the image of a task; nil where nothing does.
    private func beginPlaceholders(for task: ImageTask, _ resolved: ResolvedRequest) -> Task<Void, Never>? {
        guard !resolved.context[.placeholders].isEmpty else { return nil }
        return Task {
            await pipeline.showPlaceholders(for: task.request, resolved, waiter: task.waiter) {
                load($0, showsPlaceholders: false)
            } show: {
                task.show($0, as: $1)
            }
        }
    }

    /// - Parameter isFirst: Whether memory has not been asked yet.
    private func response(
        to task: ImageTask, _ resolved: ResolvedRequest, isFirst: Bool
    ) async throws -> ImageResponse {
        let (request, waiter) = (task.request, task.waiter)
        if !resolved.isRefreshed,
            let image = isFirst ? pipeline.remembered(resolved) : pipeline.rememberedMeanwhile(resolved)
        {
            let readsData = resolved.context[.queryMemoryData]
            let data = readsData ? try await pipeline.keptData(resolved, waiter: waiter) : nil
            return ImageResponse(request: request, image: image, source: .memory, data: data)
        }
        // A loader that loads through the manager which called it waits for others now.
        let wait = try LoadTurn.current?.makeWay(for: resolved, among: pipeline.loadWaits)
        defer { withExtendedLifetime(wait) {} }
        return try await pipeline.response(to: request, resolved, waiter: waiter) { task.show($0) }
    }

    /// Ends a task that takes longer than so from now on, whatever was said of it before; nil for never.
    private func limit(_ task: ImageTask, to timeout: Duration?) {
        let deadline = timeout.map { timeout in
            deadlines.add(after: timeout) { [weak task] in
                task?.finish(
                    .failure(
                        ImageError(
                            .timedOut, stage: .load, subject: task?.request.subject,
                            message: "took longer than \(timeout.contextText)",
                            advice: "raise the context value `timeout`, or look at the source")))
            }
        }
        task.setDeadline(deadline)
    }

    // MARK: Resolving

    typealias Layers = (id: UInt64, layers: [(ContextLayer, ImageContext)])

    func layers(for request: ImageRequest) -> Layers {
        let (id, context) = state.withLock { (stateID.load(ordering: .relaxed), $0.context) }
        return (id, [(.builtIn, builtIn), (.manager, context), (.request, request.context)])
    }

    /// Returns the listeners of a request that are known before its options processor runs.
    private func listeners(of layers: Layers) -> Listeners {
        Listeners(layers.layers.map(\.1), through: pipeline.channels)
    }

    /// Returns the request's resolved if it is remembered, or can be made without waiting and without an options
    /// processor or a key filter; nil otherwise.
    private func knownRequest(of request: ImageRequest, layers: Layers) throws(ImageError) -> ResolvedRequest? {
        if let known = rememberedResolution(of: request, in: layers.id) { return known }
        guard !ResolvedRequest.needsUserCode(layers.layers) else { return nil }
        let basis = try basis(of: request, layers: layers)
        let version = basis.version { pipeline.version(of: $0, mayWait: false) }
        guard version != .unknown else { return nil }
        let resolved = ResolvedRequest(basis, version: version, stateID: layers.id, channels: pipeline.channels)
        request.remember(resolved)
        return resolved
    }

    /// Returns the request's resolved in a state of the manager; nil if it is not remembered, or if the version of
    /// the file or the registered loaders have changed since.
    func rememberedResolution(of request: ImageRequest, in stateID: UInt64) -> ResolvedRequest? {
        guard let known = request.resolved(in: stateID),
            known.isUpToDate(
                loaderChangeCount: registry.loaders.changeCount,
                tellVersion: { pipeline.version(of: $0, mayWait: false) })
        else { return nil }
        return known
    }

    /// Returns the resolved of a task's request.
    private func resolved(_ task: ImageTask, _ known: ResolvedRequest?, layers: Layers) async throws -> ResolvedRequest
    {
        if let known { return known }
        let resolved = try await resolved(task.request, layers: layers, waiter: task.waiter)
        // What the processor says of priority and timeout holds from here on.
        let merged = resolved.mergedContext
        let (priority, timeout) = (resolved.context[.priority], resolved.context[.timeout])
        if priority != merged[.priority], task.priority == merged[.priority] { task.priority = priority }
        if timeout != merged[.timeout] { limit(task, to: timeout) }
        return resolved
    }

    private func resolved(
        _ request: ImageRequest, layers: Layers, waiter: any Waiter
    ) async throws -> ResolvedRequest {
        try await resolve(request, layers: layers, waiter: waiter) {
            self.pipeline.beginResolving(request, self.listeners(of: layers), for: waiter)
        }
    }

    /// Resolves a request and remembers the resolved with it.
    ///
    /// The options processor and the key filter are called on the lane for them. A loader that has to wait to tell a
    /// version does so on another: a device that does not answer delays only requests whose versions take waiting too,
    /// as soon as it holds all threads of that lane.
    /// - Parameter begin: Begins the step; nil for none that anybody is told of.
    func resolve(
        _ request: ImageRequest, layers: Layers, waiter: any Waiter,
        begin: @escaping @Sendable () -> StepSpan? = { nil }
    ) async throws -> ResolvedRequest {
        try Task.checkCancellation()
        let suspended = SuspendedSpan()
        defer { suspended.stop() }
        let start = { @Sendable () throws -> (ResolvedRequest.Basis, SourceVersion) in
            let span = begin()
            do {
                let basis = try self.basis(of: request, layers: layers)
                let version = basis.version { self.pipeline.version(of: $0, mayWait: false) }
                if version == .unknown, let span { suspended.put(span) } else { span?.end() }
                return (basis, version)
            } catch {
                span?.stop(error)
                throw error
            }
        }
        let lanes = pipeline.lanes
        let basis: ResolvedRequest.Basis
        var version: SourceVersion
        if ResolvedRequest.needsUserCode(layers.layers) {
            (basis, version) = try await lanes.resolving.run(for: waiter, job: Job()) { _ in try start() }
        } else {
            (basis, version) = try start()
        }
        if version == .unknown {
            version = try await lanes.versions.run(for: waiter, job: Job()) { _ -> SourceVersion in
                let span = try suspended.take()
                let version = basis.version { self.pipeline.version(of: $0, mayWait: true) }
                span?.end()
                return version
            }
        }
        let resolved = ResolvedRequest(basis, version: version, stateID: layers.id, channels: pipeline.channels)
        request.remember(resolved)
        return resolved
    }

    private func basis(of request: ImageRequest, layers: Layers) throws(ImageError) -> ResolvedRequest.Basis {
        guard let url = request.url else {
            throw ImageError(
                .invalidURL, stage: .resolve, subject: request.subject,
                message: request.subject.isEmpty ? "the URL is empty" : "is not a URL with a scheme",
                advice: "begin with a scheme such as https: or file:, or use ImageRequest(path:) for a file")
        }
        return try ResolvedRequest.Basis(
            url: url, layers: layers.layers, loaderChangeCount: registry.loaders.changeCount
        ) { pipeline.distinction(of: $0, $1) }
    }
}
