/// Stores that several requests share. The first request begins the store, the others get the same task.
final class SharedStores: Sendable {
    private let begun = Lock<[StoreKey: StoreTask]>([:])

    /// Returns the store under a key: the one already begun, or else the one that `begin` begins.
    func store(_ key: StoreKey, begin: () -> StoreTask) -> StoreTask {
        begun.withLock { begun in
            if let task = begun[key] { return task }
            let task = begin()
            begun[key] = task
            return task
        }
    }

    /// Waits until all stores begun so far have ended.
    func wait() async {
        // The failures have been reported as events.
        for task in begun.withLock({ Array($0.values) }) { _ = try? await task.value }
    }

    /// Forgets the stores, because their entries were removed: the next request stores again.
    func forget() { begun.withLock { $0 = [:] } }
}
