/// A listener that receives the events of requests: the beginning and the end of each step, and failures that do not
/// stop a request.
///
/// Set it with the key ``ContextKey/eventListener``. A listener in a manager's context receives the events of all
/// requests. A listener in a request's context receives the events of that request, and so does the manager's listener.
/// In a request's context, `.off(.eventListener)` silences the manager's listener. A listener that an options processor
/// adds receives the events of the steps that begin after the processor has returned.
///
/// A listener that is an object receives each event once, even if both the manager's and the request's context set it.
/// A listener that is a value has no identity: each of its settings has its own queue and receives each event. Creating
/// such a setting for every request is costly. Reuse one setting, or set an object.
///
/// Events of work that several requests share go to the listeners of the request that began it. The listeners of the
/// other requests receive ``PipelineEvent/Kind/joined``. A hit in memory is a request that begins and ends at once.
///
/// Events are delivered later, in the order in which they occurred. Requests, ``ImageTask/cancel()`` and the threads of
/// the pool that tasks share do not wait for the delivery. ``ImageManager/waitForEvents()`` returns when the events so
/// far have been delivered. Up to 4,096 events wait for a slow listener. Further events are lost, and
/// ``PipelineEvent/Kind/lost(_:)`` reports their number. The listener is retained until its waiting events have been
/// delivered.
///
/// Without listeners, no events are created.
public protocol EventListener: Sendable {
    /// Receives an event.
    ///
    /// Called on the listener's queue, one call at a time for each manager, never under a lock. The method may block,
    /// but must not wait for ``ImageManager/waitForEvents()`` of the same manager, because that method waits for this
    /// call.
    ///
    /// Each call that does not return occupies a thread of Dispatch. Some two hundred such calls exhaust the threads of
    /// all queues without a quality of service. This stops other listeners, callbacks on such queues (including the
    /// default queues of loads), the program's own queues of that kind, and prefetchers. Requests continue.
    func received(_ event: PipelineEvent)
}
