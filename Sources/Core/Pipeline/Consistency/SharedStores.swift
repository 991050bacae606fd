/// The store operations that several requests share. The first request begins an operation, and the others get the same
/// task.
final class SharedStores: Sendable {
    private let stores = Lock<[StoreKey: StoreTask]>([:])

    /// Returns the store under a key: the one already begun, or else the one that `begin` begins.
    func store(_ key: StoreKey, begin: () -> StoreTask) -> StoreTask {
        stores.withLock { stores in
            if let task = stores[key] { return task }
            let task = begin()
            stores[key] = task
            return task
        }
    }

    /// Returns the store that has begun under a key; nil if there is none.
    func begun(_ key: StoreKey) -> StoreTask? { stores.withLock { $0[key] } }

    /// Forgets the stores, because their entries were removed: the next request stores again.
    func forget() { stores.withLock { $0 = [:] } }
}
