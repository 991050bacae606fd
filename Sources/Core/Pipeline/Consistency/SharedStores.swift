/// The stores that several requests share. The first request begins a store, and the others get the same task.
final class SharedStores: Sendable {
    private let stores = Lock<[StoreKey: StoreTask]>([:])

    /// Returns the store operation under a key. If none has begun yet, `begin` begins it.
    func store(_ key: StoreKey, begin: () -> StoreTask) -> StoreTask {
        stores.withLock { stores in
            if let task = stores[key] { return task }
            let task = begin()
            stores[key] = task
            return task
        }
    }

    /// Returns the store operation that has begun under a key; nil if none has begun.
    func begun(_ key: StoreKey) -> StoreTask? { stores.withLock { $0[key] } }

    /// Waits until all stores begun so far have ended.
    func wait() async {
        // The failures have been reported as events.
        for task in stores.withLock({ Array($0.values) }) { _ = try? await task.value }
    }

    /// Forgets all stores, so that the next request stores again. Call it when the entries have been removed.
    func forget() { stores.withLock { $0 = [:] } }
}
