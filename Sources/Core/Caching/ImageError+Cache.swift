extension ImageError {
    /// Returns the ``ImageError`` for an error that a cache threw. An error of unknown type gets the code
    /// `cacheFailed`.
    /// - Parameter stage: The stage in which the cache was called: `query` or `store`.
    static func thrown(by cache: any ImageCache, _ error: any Error, stage: Stage) -> ImageError {
        wrapping(
            error, as: .cacheFailed, stage: stage, component: typeName(of: cache), message: "the cache threw an error",
            advice: "check the cache, which the context value `imageCache` sets")
    }
}
