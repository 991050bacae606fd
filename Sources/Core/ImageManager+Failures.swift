extension ImageManager {
    /// Returns the last error of a URL that is not loaded again because of it; otherwise nil. Returns at once.
    ///
    /// Failures are remembered for as long as the context value `failedURLTimeToLive` of their request says, and for
    /// the values alone under which the URL was asked, such as the headers sent: requests with others still ask.
    public func failure(of url: URL) -> ImageError? {
        pipeline.failures.failure(of: url.transferText)
    }

    /// Forgets that a URL has failed: it is asked again. Doing so twice is no error.
    public func removeFailedURL(_ url: URL) {
        pipeline.failures.forget(url.transferText)
    }

    /// Forgets of all URLs that they have failed.
    public func removeAllFailedURLs() {
        pipeline.failures.forgetAll()
    }
}
