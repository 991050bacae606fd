/// Sees to it that what several requests share is stored once: the first begins the store, the others find it begun.
final class Claims: Sendable {
    private let stores = Lock<[String: Task<[ImageMetrics.Step], Never>]>([:])

    /// The store of `key` in `cache`: that which was begun before, else the one that `begin` begins now.
    func store(
        _ key: VariantKey, in cache: any ImageCache, begin: () -> Task<[ImageMetrics.Step], Never>
    ) -> Task<[ImageMetrics.Step], Never> {
        let claim = "\(ObjectIdentifier(cache)) \(key)"
        return stores.withLock { stores in
            if let begun = stores[claim] { return begun }
            let task = begin()
            stores[claim] = task
            return task
        }
    }
}
