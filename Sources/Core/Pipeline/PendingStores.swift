/// The stores that are under way: a read sees what is not on disk yet, a removal is not overtaken by it.
///
/// Bounded by the bytes that wait: beyond that, requests wait for their stores, so that a slow disk slows them down
/// rather than fill the memory. Thread-safe.
final class PendingStores: Sendable {
    private struct Pending {
        let id: Int
        let data: Data?
        let byteCount: Int
        let task: Task<[ImageMetrics.Step], Never>
    }

    private struct State {
        var stores: [StoreKey: Pending] = [:]
        var byteCount = 0
        var nextID = 0
    }

    private static let byteLimit = 64 << 20
    private let state = Lock(State())

    /// Whether more waits than should.
    var isFull: Bool { state.withLock { $0.byteCount > Self.byteLimit } }

    /// Begins a store, after the one under the same key that may be under way.
    /// - Parameters:
    ///   - key: What is stored.
    ///   - data: Its bytes, where they are there already; nil when they are still to be made.
    ///   - byteCount: How much memory it holds until it is done.
    ///   - body: What stores it.
    func begin(
        _ key: StoreKey, data: Data?, byteCount: Int,
        _ body: @escaping @Sendable () async -> [ImageMetrics.Step]
    ) -> Task<[ImageMetrics.Step], Never> {
        state.withLock { state in
            let id = state.nextID
            state.nextID += 1
            let earlier = state.stores[key]?.task
            let task = Task.detached {
                _ = await earlier?.value
                let steps = await body()
                self.end(key, id: id, byteCount: byteCount)
                return steps
            }
            state.stores[key] = Pending(id: id, data: data, byteCount: byteCount, task: task)
            state.byteCount += byteCount
            return task
        }
    }

    /// The bytes being stored under a key, when they are known, so that a read need not wait for the disk.
    func data(for key: StoreKey) -> Data? {
        state.withLock { $0.stores[key]?.data }
    }

    /// Waits until nothing is being stored under a key.
    func wait(for key: StoreKey) async {
        while let task = state.withLock({ $0.stores[key]?.task }) { _ = await task.value }
    }

    /// Waits until nothing of a source is being stored in a cache.
    func wait(for source: SourceKey, in cache: any ImageCache) async {
        let tasks = state.withLock { state in
            state.stores.filter { $0.key.cache == ObjectIdentifier(cache) && $0.key.variant.source == source }
                .map(\.value.task)
        }
        for task in tasks { _ = await task.value }
    }

    /// Waits until nothing is being stored in a cache.
    func wait(for cache: any ImageCache) async {
        let tasks = state.withLock { state in
            state.stores.filter { $0.key.cache == ObjectIdentifier(cache) }.map(\.value.task)
        }
        for task in tasks { _ = await task.value }
    }

    private func end(_ key: StoreKey, id: Int, byteCount: Int) {
        state.withLock { state in
            state.byteCount -= byteCount
            if state.stores[key]?.id == id { state.stores[key] = nil }
        }
    }
}
