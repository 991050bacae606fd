extension ResolvedContext {
    /// The values that frames need which are still to be made: all but the parts of a manager.
    ///
    /// An image keeps them. A cache that held an image that held the cache would never go.
    var forFrames: ResolvedContext {
        let parts: Set = [
            ContextKey.imageCache.declaration, ContextKey.originalImageCache.declaration,
            ContextKey.cacheKeyFilter.declaration, ContextKey.cacheSerializer.declaration,
            ContextKey.imageLoader.declaration, ContextKey.optionsProcessor.declaration,
            ContextKey.eventListener.declaration, ContextKey.transformers.declaration,
        ]
        let settings = entries.map(\.setting).filter { !parts.contains($0.declaration) }
        return ResolvedContext(layers: [(.request, ImageContext(settings))])
    }
}
