extension ImageError {
    /// Returns the error of a cache: an error that already is an `ImageError`, or else `cacheFailed` with the cause.
    /// - Parameters:
    ///   - error: The error that the cache threw.
    ///   - stage: The stage in which the cache was called: `query` or `store`.
    static func thrown(by cache: any ImageCache, _ error: any Error, stage: Stage) -> ImageError {
        wrapping(
            error, as: .cacheFailed, stage: stage, component: typeName(of: cache), message: "the cache threw an error",
            advice: "check the cache, which the context value `imageCache` sets")
    }
}
