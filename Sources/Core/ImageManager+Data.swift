extension ImageManager {
    /// Returns the bytes of an image file without decoding them.
    ///
    /// They are the bytes of the original, whatever the request says of sizes and transformers. They come from the disk
    /// tier if it has them, and otherwise from the loader, whose load is shared with other requests. The header of
    /// loaded bytes is read, so that they are those of an image within the limits. They are stored if the caches had
    /// nothing; bytes that replace a cached copy are not, since only decoding shows that they are whole.
    ///
    /// Cancelling the Swift task that awaits it cancels the load. Throws what ``image(for:context:)`` throws except the
    /// errors of decoding pixels and of transforming, and `loadFailed` for a loader that gives images instead of bytes.
    /// - Parameters:
    ///   - source: A request, a URL, or the text of one.
    ///   - context: Values over those of the request. Default: none.
    public func data(
        for source: some ImageRequestConvertible, context: ImageContext = []
    ) async throws(ImageError) -> Data {
        let request = source.imageRequest.adding(context)
        let layers = layers(for: request)
        let span = pipeline.begin(request, resolver.listeners(of: layers))
        let priority = ResolvedContext(layers: layers.layers)[.priority]
        let runner = DataRunner(
            request: request, layers: layers, resolver: resolver,
            waiter: SilentWaiter(priority: priority, requestID: span.id), deadlines: deadlines)
        let result: Result<DataRunner.Loaded, ImageError>
        do {
            result = .success(try await runner.run())
        } catch {
            let error = ImageError.loading(error)
            result = .failure((Task.isCancelled ? error : error.asFailure).about(request.subject))
        }
        let source = result.map(\.source)
        span.end(source, telling: span.endEvent(source))
        return try result.get().data
    }
}
