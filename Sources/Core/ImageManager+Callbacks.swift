import Dispatch

extension ImageManager {
    /// Begins loading an image, for code that uses callbacks instead of `await`.
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
    /// `completion` is called exactly once, and is the last callback. After a call of ``ImageTask/cancel()`` or
    /// ``cancelAll()``, no callback begins except `completion` with the error `cancelled`, even if the image was
    /// already available. A callback that is already running on another thread continues. Callbacks may load images and
    /// cancel tasks. They may also block, unless they are called ``Delivery/inline``.
    /// - Parameters:
    ///   - source: A request, a URL, or a URL as text.
    ///   - delivery: The place where the callbacks are called. With nil, the default, ``ContextKey/delivery`` decides.
    ///   - onEvent: Receives all events except ``ImageEvent/finished(_:)``. Of the progress and the previews that
    ///     arrive during a call of the closure, only the latest ones are delivered.
    ///   - completion: Receives the result.
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

    /// Begins loading an image, for code on the main actor that uses callbacks instead of `await`.
    ///
    /// Example: `manager.load(url, on: MainActor.shared) { ... }`. The callbacks are called as with
    /// ``Delivery/mainActor``, but are isolated to the main actor, and may use values that are not `Sendable`.
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

    /// Returns where the callbacks of a request are called. The default is a new queue for each load, because callbacks
    /// that block must not occupy the threads that tasks share.
    private static func delivery(of task: ImageTask, in layers: RequestResolver.Layers) -> Delivery {
        let resolved = task.resolved ?? task.request.resolved(in: layers.id)
        let context = resolved?.context ?? ResolvedContext(layers: layers.layers)
        return context[.delivery] ?? .queue(DispatchQueue(label: "ct-callbacks"))
    }
}
