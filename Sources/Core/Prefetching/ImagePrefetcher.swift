/// A prefetcher, which loads images into a cache before they are needed.
///
/// ```swift
/// let prefetcher = ImagePrefetcher(manager: manager)
/// let token = prefetcher.start(urls) { print("\($0.finished) of \($0.total)") }
/// let counts = await token.completion
/// ```
///
/// A prefetcher uses the cache keys of the manager, so a later request to the manager for the same image is a hit. A
/// request for an image that is being prefetched shares the load, and raises its priority if necessary.
///
/// Each call of ``start(_:progress:)`` adds a list of requests. Several lists take turns, one request at a time. The
/// requests of a list begin in order. The delegate is called on a queue of the prefetcher's own, one call after
/// another, never under a lock and never from within a call to the prefetcher or to a token. A request remains in
/// progress until the delegate has returned, so a delegate that never returns stalls the prefetcher, but nothing else.
///
/// Retain the prefetcher until its lists have ended: deinitializing it cancels all lists without telling the delegate.
/// Only a report that another thread is already delivering still reaches the delegate. Thread-safe.
public final class ImagePrefetcher: Sendable {
    /// The lists and their workers. They are in a separate object, because work in progress retains it.
    private let queue: PrefetchQueue

    /// Creates a prefetcher.
    /// - Parameters:
    ///   - manager: The manager that loads.
    ///   - maxConcurrent: The maximum number of requests in progress, over all lists. A number less than 1 counts as 1.
    ///     Default: 3.
    ///   - priority: The priority of all requests of the prefetcher, in place of the requests' own. Default: low.
    ///   - destination: The tiers in which images are stored. The settings of a request can exclude some of them.
    ///     Default: all. If disk is the only tier, a decoded image is released as soon as its bytes are on their way to
    ///     disk, and an image that is already on disk is not decoded.
    ///   - delegate: The delegate that receives progress; nil, the default, for none. It is not retained.
    public init(
        manager: ImageManager, maxConcurrent: Int = 3, priority: Priority = .low, destination: CacheTiers = .all,
        delegate: (any ImagePrefetcherDelegate)? = nil
    ) {
        queue = PrefetchQueue(
            manager: manager, maxConcurrent: max(1, maxConcurrent), priority: priority, destination: destination,
            delegate: delegate)
    }

    deinit { queue.close() }

    /// The priority of the prefetcher's requests. A change also applies to requests in progress.
    public var priority: Priority {
        get { queue.priority }
        set { queue.priority = newValue }
    }

    /// The delegate that receives progress. It is not retained.
    public var delegate: (any ImagePrefetcherDelegate)? {
        get { queue.delegate }
        set { queue.delegate = newValue }
    }

    /// Begins to prefetch a list of requests, in order. An empty list has already ended when this method returns.
    ///
    /// Each element is converted to a request when its turn comes. If memory is a destination and already has the
    /// image, the request finishes at once. A request that fails is skipped. A request that is in the list twice counts
    /// twice.
    /// - Parameters:
    ///   - requests: The requests of the list.
    ///   - progress: Called after the delegate, each time that a request of the list has ended. It is not called after
    ///     the list is cancelled, except for a call that is in progress on another thread at that time. Retained until
    ///     the list ends.
    @discardableResult
    public func start(
        _ requests: [some ImageRequestConvertible], progress: (@Sendable (PrefetchProgress) -> Void)? = nil
    ) -> PrefetchToken {
        queue.start(count: requests.count, request: { requests[$0].imageRequest }, onProgress: progress)
    }

    /// Begins no further requests until ``resume()``. Requests in progress continue.
    public func pause() { queue.pause() }

    /// Continues after ``pause()``.
    public func resume() { queue.resume() }

    /// Cancels all lists, as ``PrefetchToken/cancel()`` does for one.
    public func cancelAll() { queue.cancelAll() }
}
