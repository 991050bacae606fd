/// Sees to it that what several requests share is stored once: the first begins the store, the others find it begun.
final class SharedStores: Sendable {
    private let begun = Lock<[StoreKey: StoreTask]>([:])

    /// The store under a key: that which was begun before, else the one that `begin` begins now.
    func store(_ key: StoreKey, begin: () -> StoreTask) -> StoreTask {
        begun.withLock { begun in
            if let task = begun[key] { return task }
            let task = begin()
            begun[key] = task
            return task
        }
    }

    /// Forgets the stores, because their entries were removed: the next request stores again.
    func forget() { begun.withLock { $0 = [:] } }
}
