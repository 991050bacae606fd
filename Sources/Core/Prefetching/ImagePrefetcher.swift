/// Loads images before anybody wants to see them, so that a cache has them when somebody does.
///
/// ```swift
/// let prefetcher = ImagePrefetcher(manager: manager)
/// let token = prefetcher.start(urls) { print("\($0.finished) of \($0.total)") }
/// let counts = await token.completion
/// ```
///
/// Keys are the manager's: a prefetched image is a hit for every request to the manager. A request during the prefetch
/// joins it, and raises its priority to its own.
///
/// Lists take turns, a request each, and each keeps its order. The delegate is called on a queue of the prefetcher's
/// own, one call after another, never under a lock nor from within a call to the prefetcher or to a token. A request is
/// in progress until the delegate has returned, so a delegate that never returns stalls the prefetcher, and nothing
/// else.
///
/// Keep the prefetcher for as long as its lists are to run: when it goes they are cancelled, of which the delegate is
/// not told; what it is being told on another thread meanwhile is the last. Thread-safe.
public final class ImagePrefetcher: Sendable {
    /// Apart from the prefetcher: what is under way keeps it.
    private let queue: PrefetchQueue

    /// A prefetcher.
    /// - Parameters:
    ///   - manager: The manager that loads.
    ///   - maxConcurrent: The maximum number of requests in progress, over all lists; less than 1 counts as 1.
    ///   - priority: The urgency of its requests, whatever their own.
    ///   - destination: The tiers that images are brought to, of those in which they are to be kept anyway. Without
    ///     memory, a decoded image goes as soon as its bytes are on their way to disk, and what is on disk is not
    ///     decoded again.
    ///   - delegate: The delegate that receives progress.
    public init(
        manager: ImageManager, maxConcurrent: Int = 3, priority: Priority = .low, destination: CacheTiers = .all,
        delegate: (any ImagePrefetcherDelegate)? = nil
    ) {
        queue = PrefetchQueue(
            manager: manager, maxConcurrent: max(1, maxConcurrent), priority: priority, destination: destination,
            delegate: delegate)
    }

    deinit { queue.close() }

    /// The urgency of the prefetcher's requests. A change holds at once, also for those under way.
    public var priority: Priority {
        get { queue.priority }
        set { queue.priority = newValue }
    }

    /// The delegate that receives progress. The prefetcher does not keep it.
    public var delegate: (any ImagePrefetcherDelegate)? {
        get { queue.delegate }
        set { queue.delegate = newValue }
    }

    /// Begins with a list, in its order. One with nothing in it has ended when this returns.
    ///
    /// A request is made of an element when its turn comes. One whose image is in memory, where that is a destination,
    /// has finished then; one that fails is skipped. One that is there twice is counted twice.
    /// - Parameters:
    ///   - requests: What is to be loaded.
    ///   - progress: Called each time that a request of the list has ended, after the delegate; not once the list is
    ///     cancelled, but for a call that is under way on another thread meanwhile. Kept until the list ends.
    @discardableResult
    public func start(
        _ requests: [some ImageRequestConvertible], progress: (@Sendable (PrefetchProgress) -> Void)? = nil
    ) -> PrefetchToken {
        queue.start(count: requests.count, request: { requests[$0].imageRequest }, onProgress: progress)
    }

    /// Begins nothing new until it is resumed. What is under way goes on to its end.
    public func pause() { queue.pause() }

    /// Goes on after a pause.
    public func resume() { queue.resume() }

    /// Cancels all lists, as their tokens do.
    public func cancelAll() { queue.cancelAll() }
}
