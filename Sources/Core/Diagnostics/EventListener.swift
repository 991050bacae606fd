/// Is told what happens on the way of requests: where each step begins and ends, and what fails without stopping them.
///
/// Set with the key ``ContextKey/eventListener``: in a manager's context it hears of all requests, in a request's own
/// of that one, beside the manager's. An object that stands in both is told once; values have no identity, and are told
/// for each time that they were set, on a queue for each: set in every request anew they cost one every time. Keep one
/// setting, or an object, and use it again. In a request `.off(.eventListener)` silences the manager's. One that an
/// options processor adds hears of the steps behind it.
///
/// Work that several requests share is told to the listeners of the one that began it; those of the others are told
/// that it was joined. A hit in memory is a request that begins and ends at once.
///
/// What happens is told later, in the order in which it happened, and nothing waits until it has been: no request, no
/// ``ImageTask/cancel()``, no thread of the pool that tasks share. ``ImageManager/waitForEvents()`` returns when it
/// has. A listener that takes its time has up to 4,096 events waiting for it; what is beyond is not told, but how much
/// that was: ``PipelineEvent/Kind/lost(_:)``. It is kept until it has been told what waits.
///
/// Without listeners no event is made, and no clock is read but for the metrics of responses.
public protocol EventListener: Sendable {
    /// Called on a queue of the listener's own, one call after another for each manager, never under a lock. May block,
    /// but not until ``ImageManager/waitForEvents()`` of its own manager returns, which waits for this very call.
    ///
    /// Each call that does not return keeps a thread of Dispatch. Some two hundred of them are what that bears: it has
    /// no thread then for other listeners, for callbacks on queues that are given no quality of service, those of a
    /// load's own included, for what a prefetcher tells, which it waits for, and for such queues of the program.
    /// Requests go on, and so do their timeouts and retries.
    func received(_ event: PipelineEvent)
}
