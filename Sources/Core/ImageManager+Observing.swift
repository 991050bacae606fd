extension ImageManager {
    /// The tasks under way, in the order in which they began. Those that memory answers at once are never among them.
    public var tasks: [ImageTask] { running.tasks }

    /// Whether any task is under way.
    public var isRunning: Bool { !running.isEmpty }

    /// Cancels all tasks that are under way now: when this returns, each has ended as cancelled, unless it has ended
    /// otherwise just before. As with ``ImageTask/cancel()``, a completion that has not been called yet, since it waits
    /// for its turn, is told `cancelled` as well. Tasks that begin later are no concern of it; neither is what is still
    /// being written to a cache for tasks that have ended.
    public func cancelAll() { running.cancelAll() }
}

extension ImageManager {
    /// A snapshot of the manager's work since its creation, and of the work in progress. Returns at once.
    ///
    /// ``ManagerStatistics/prometheusText`` has it as a server is asked for it.
    public var statistics: ManagerStatistics { pipeline.counters.snapshot(caches: cacheStatistics) }
}

extension ImageManager {
    /// Returns when every ``EventListener``, of this manager or of one of its requests, has been told all that has
    /// happened by now.
    ///
    /// For programs that are about to end, and for tests: listeners are told later than it happens. What happens
    /// meanwhile is not waited for, nor does anybody else wait, nor a thread. One that never returns is waited for
    /// until the surrounding task is cancelled, upon which this returns at once. So a listener must not wait for this
    /// in ``EventListener/received(_:)``: it would wait for itself.
    public func waitForEvents() async {
        await pipeline.channels.waitForEvents()
    }
}

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
