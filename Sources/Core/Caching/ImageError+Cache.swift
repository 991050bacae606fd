extension ImageError {
    /// Returns an error of a cache as an ``ImageError``. An ``ImageError`` without a component gets the name of the
    /// cache's type. A `CancellationError` becomes an error with the code `cancelled`. Any other error becomes the
    /// cause of an error with the code `cacheFailed`.
    /// - Parameters:
    ///   - error: The error that the cache threw.
    ///   - stage: The stage in which the cache was called: `query` or `store`.
    static func thrown(by cache: any ImageCache, _ error: any Error, stage: Stage) -> ImageError {
        wrapping(
            error, as: .cacheFailed, stage: stage, component: typeName(of: cache), message: "the cache threw an error",
            advice: "check the cache, which the context value `imageCache` sets")
    }
}
