extension ImageManager {
    /// The running tasks, in the order in which they began. Tasks whose image is found in memory end at once, and are
    /// never among them.
    public var tasks: [ImageTask] { running.tasks }

    /// Whether any task is running.
    public var isRunning: Bool { !running.isEmpty }

    /// Cancels all running tasks.
    ///
    /// When this method returns, each of these tasks has ended with the error `cancelled`, unless it ended just before.
    /// As with ``ImageTask/cancel()``, a completion that has not been called yet receives `cancelled` even if its task
    /// had already ended. Tasks that begin later are not affected, and neither are writes to a cache for tasks that
    /// have ended.
    public func cancelAll() { running.cancelAll() }
}

extension ImageManager {
    /// A snapshot of the manager's work since its creation, and of the work in progress. Returns at once.
    ///
    /// ``ManagerStatistics/prometheusText`` is the text form for a metrics server.
    public var statistics: ManagerStatistics { pipeline.counters.snapshot(caches: cacheStatistics) }
}

extension ImageManager {
    /// Waits until every ``EventListener`` of this manager and of its requests has received all events so far.
    ///
    /// Use it in programs that are about to end, and in tests: events are delivered with a delay. The method does not
    /// wait for events that occur after its call, and blocks neither a thread nor other work. If a listener never
    /// returns, this method waits until the surrounding task is cancelled, and then returns at once. A listener must
    /// not wait for this method in ``EventListener/received(_:)``: it would wait for itself.
    public func waitForEvents() async {
        await pipeline.channels.waitForEvents()
    }
}

extension ImageManager {
    /// Returns the last remembered failure of a URL, which keeps the URL from being loaded again. Returns nil if there
    /// is none. Returns at once.
    ///
    /// A failure is remembered for the time that its request sets as `failedURLTimeToLive`. The failure of a load
    /// applies only to requests with the same settings for loading, such as the headers sent. The failure of a decode
    /// applies only to requests that also have the same settings for decoding. Requests to which no failure applies
    /// still load the URL.
    public func failure(of url: URL) -> ImageError? {
        pipeline.failures.failure(of: url.transferText)
    }

    /// Forgets the failures of a URL, so that it is loaded again. Does nothing if there are none.
    public func removeFailedURL(_ url: URL) {
        pipeline.failures.forget(url.transferText)
    }

    /// Forgets the failures of all URLs.
    public func removeAllFailedURLs() {
        pipeline.failures.forgetAll()
    }
}
