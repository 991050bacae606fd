import Dispatch

extension ImageManager {
    /// Begins loading an image, for code that does not await: callbacks are told what happens.
    ///
    /// ```swift
    /// manager.load(url) { result in
    ///     switch result {
    ///     case .success(let response): print(response.image.size)
    ///     case .failure(let error): print(error)
    ///     }
    /// }
    /// ```
    ///
    /// `completion` is called once, whatever happens, and nothing is told after it. Once ``ImageTask/cancel()`` or
    /// ``cancelAll()`` has been called nothing is told but the error `cancelled`, also where the image was there and
    /// waited for its turn, and what is being told at that moment on another thread. Callbacks may load, cancel and,
    /// unless they are called ``Delivery/inline``, block.
    /// - Parameters:
    ///   - source: What to load.
    ///   - delivery: Where the callbacks are called; nil, the default, as ``ContextKey/delivery`` says.
    ///   - onEvent: Told of progress and of what can be shown until the image is there; never of
    ///     ``ImageEvent/finished(_:)``. While it runs the latest progress and the latest preview wait for it, no more.
    ///   - completion: Told the end.
    @discardableResult
    public func load(
        _ source: some ImageRequestConvertible, on delivery: Delivery? = nil,
        onEvent: (@Sendable (ImageEvent) -> Void)? = nil,
        completion: @escaping @Sendable (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask {
        let request = source.imageRequest
        let layers = layers(for: request)
        let task = load(request)
        let buffer = task.listenForCallbacks()
        let number = running.insertCompletion(at: buffer, of: request)
        let receiver = EventReceiver(
            buffer, on: { delivery ?? Self.delivery(of: task, in: layers) }, onEvent: onEvent,
            completion: { [running] result in
                running.removeCompletion(number)
                completion(result)
            })
        receiver.begin()
        return task
    }

    /// Begins loading an image, for code on the main actor that does not await:
    /// `manager.load(url, on: MainActor.shared) { ... }`. As with ``Delivery/mainActor``, but the callbacks belong to
    /// the main actor, and so may use what is not `Sendable`.
    @discardableResult
    public func load(
        _ source: some ImageRequestConvertible, on _: MainActor,
        onEvent: (@MainActor (ImageEvent) -> Void)? = nil,
        completion: @escaping @MainActor (Result<ImageResponse, ImageError>) -> Void
    ) -> ImageTask {
        var observer: (@Sendable (ImageEvent) -> Void)?
        if let onEvent { observer = { event in MainActor.assumeIsolated { onEvent(event) } } }
        return load(source, on: Delivery.mainActor, onEvent: observer) { result in
            MainActor.assumeIsolated { completion(result) }
        }
    }

    /// Returns the place where a request's callbacks are called, as its context and its options processor say. Nothing
    /// is told before the processor has run, except the end of a request that did not get so far. The default is a
    /// queue of the load's own, whose thread comes from outside the pool that tasks share, so that callbacks that block
    /// delay no load.
    private static func delivery(of task: ImageTask, in layers: RequestResolver.Layers) -> Delivery {
        let resolved = task.resolved ?? task.request.resolved(in: layers.id)
        let context = resolved?.context ?? ResolvedContext(layers: layers.layers)
        return context[.delivery] ?? .queue(DispatchQueue(label: "ct-callbacks"))
    }
}
