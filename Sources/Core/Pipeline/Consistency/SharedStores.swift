/// Stores that several requests share. The first request begins a store, and later requests get the task of that store.
final class SharedStores: Sendable {
    private struct Store {
        let task: StoreTask
        let begin: @Sendable () -> StoreTask
    }

    private let begun = Lock<[StoreKey: Store]>([:])

    /// Returns the store under a key: the one already begun, or else the one that `begin` begins.
    ///
    /// `begin` is retained, in order to store the entry again after a removal. It must not retain the owner of these
    /// stores.
    func store(_ key: StoreKey, begin: @escaping @Sendable () -> StoreTask) -> StoreTask {
        begun.withLock { begun in
            if let store = begun[key] { return store.task }
            let task = begin()
            begun[key] = Store(task: task, begin: begin)
            return task
        }
    }

    /// Begins all stores again, because their entries were removed.
    func beginAgain() {
        begun.withLock { begun in
            begun = begun.mapValues { Store(task: $0.begin(), begin: $0.begin) }
        }
    }
}
