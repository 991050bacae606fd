/// Is told what happens on the way of requests, failures included that do not stop them.
///
/// Set with the key ``ContextKey/eventListener``. Work that several requests share is told to the listener of the
/// request that began it.
public protocol EventListener: Sendable {
    /// Called on whatever thread it happened, from several at once, never under a lock. Must return soon.
    func received(_ event: PipelineEvent)
}
