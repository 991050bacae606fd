/// Is told what happens on the way of requests: where each step begins and ends, and what fails without stopping them.
///
/// Set with the key ``ContextKey/eventListener``: in a manager's context it hears of all requests, in a request's own
/// of that one, beside the manager's, which is told first. An object that stands in both is told once; values have no
/// identity, and are told for each layer. In a request `.off(.eventListener)` silences the manager's. One that an
/// options processor adds hears of the steps behind it.
///
/// Work that several requests share is told to the listeners of the one that began it; those of the others are told
/// that it was joined. A hit in memory is a request that begins and ends at once.
///
/// Where nobody listens no event is made, and no clock is read but for the metrics of responses.
public protocol EventListener: Sendable {
    /// Called on whatever thread it happened, from several at once, never under a lock. Must return soon: the request
    /// waits.
    func received(_ event: PipelineEvent)
}
