/// Makes the calls of a prefetcher to its users one after another, so that counts arrive in their order.
actor PrefetchTeller {
    /// Calls `body` when those that came before have returned.
    func tell(_ body: @Sendable () -> Void) { body() }
}
