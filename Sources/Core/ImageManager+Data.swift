extension ImageManager {
    /// Returns the bytes of an image file without decoding them.
    ///
    /// The bytes are those of the original, whatever sizes and transformers the request sets. They come from the disk
    /// tier if it has them, and otherwise from the loader, whose load is shared with other requests. The header of
    /// loaded bytes is checked: they must belong to an image within the limits.
    ///
    /// If a lookup has found no copy in the caches, loaded bytes are stored without being decoded. Otherwise, storing
    /// them may replace an intact copy. They are then first decoded in the background, since only a decode shows that
    /// they are complete. If the decode fails, they are not stored, and the copy is kept.
    ///
    /// Cancelling the Swift task that awaits the bytes cancels the load. Throws the errors of ``image(for:context:)``,
    /// except those of decoding pixels and of transforming. Also throws `loadFailed` if the loader returns an image
    /// instead of bytes. If the caches do not have the bytes and an earlier failure of the source is remembered, throws
    /// that failure, even if it occurred while pixels were decoded.
    /// - Parameters:
    ///   - source: A request, a URL, or a URL as text.
    ///   - context: Values that win over those of the request. Default: none.
    public func data(
        for source: some ImageRequestConvertible, context: ImageContext = []
    ) async throws(ImageError) -> Data {
        let request = source.imageRequest.adding(context)
        let layers = layers(for: request)
        let known = Result { () throws(ImageError) in try resolver.resolvedAtOnce(request, layers) }
        let resolved = try? known.get()
        let span = pipeline.begin(request, resolved?.listeners ?? resolver.listeners(of: layers))
        // An options processor may still change the priority. Until it has run, the priority that it receives applies.
        let priority = (resolved?.context ?? ResolvedContext(layers: layers.layers))[.priority]
        let runner = DataRunner(
            request: request, layers: layers, resolver: resolver,
            waiter: SilentWaiter(priority: priority, requestID: span.id), deadlines: deadlines)
        let result: Result<DataRunner.Loaded, ImageError>
        do {
            result = .success(try await runner.run(try known.get()))
        } catch {
            result = .failure(ImageError.loading(error).asFailureUnlessCancelled.about(request.subject))
        }
        let source = result.map(\.source)
        span.end(source, telling: span.endEvent(source))
        return try result.get().data
    }
}
