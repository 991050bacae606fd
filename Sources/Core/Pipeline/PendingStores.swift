/// A store, or a removal, that is under way; with the steps that a store took.
typealias StoreTask = Task<[ImageMetrics.Step], any Error>

/// What is being stored and removed: a look-up sees what is not on disk yet, and no removal is overtaken by a store.
///
/// What concerns one key is done one after the other. Bounded by the bytes that wait: beyond that, requests wait for
/// their stores, so that a slow disk slows them down rather than fill the memory. Thread-safe.
final class PendingStores: Sendable {
    /// What the cache is going to have under a key.
    enum Prospect: Sendable {
        case entry(CacheEntry)
        case nothing
    }

    private struct Pending {
        let id: Int
        /// The entry, as soon as it is made; nil for a removal.
        let entry: Task<CacheEntry?, any Error>?
        let task: StoreTask
    }

    private struct State {
        /// The last of each key, which waits for those before it.
        var pending: [StoreKey: Pending] = [:]
        var byteCount = 0
        var nextID = 0
    }

    private static let byteLimit = 64 << 20
    private let state = Lock(State())

    /// Whether more waits than should.
    var isFull: Bool { state.withLock { $0.byteCount > Self.byteLimit } }

    /// Begins a store: makes an entry, and writes it when what was begun before under the key is done.
    /// - Parameters:
    ///   - key: What is stored.
    ///   - byteCount: How much memory it holds until it is done.
    ///   - make: Makes the entry; nil leaves the cache as it is.
    ///   - write: Stores it.
    func begin(
        _ key: StoreKey, byteCount: Int, making make: @escaping @Sendable () async throws -> CacheEntry?,
        writing write: @escaping @Sendable (CacheEntry) async throws -> [ImageMetrics.Step]
    ) -> StoreTask {
        let entry = Task.detached { try await make() }
        return add(key, entry, byteCount: byteCount) {
            guard let made = try await entry.value else { return [] }
            return try await write(made)
        }
    }

    /// Begins a removal, which is done when what was begun before under the key is.
    @discardableResult
    func beginRemoval(_ key: StoreKey, _ remove: @escaping @Sendable () async throws -> Void) -> StoreTask {
        add(key, nil, byteCount: 0) {
            try await remove()
            return []
        }
    }

    private func add(
        _ key: StoreKey, _ entry: Task<CacheEntry?, any Error>?, byteCount: Int,
        _ body: @escaping @Sendable () async throws -> [ImageMetrics.Step]
    ) -> StoreTask {
        state.withLock { state in
            let id = state.nextID
            state.nextID += 1
            let earlier = state.pending[key]?.task
            let task = Task.detached { () async throws -> [ImageMetrics.Step] in
                defer { self.end(key, id: id, byteCount: byteCount) }
                _ = await earlier?.result
                return try await body()
            }
            state.pending[key] = Pending(id: id, entry: entry, task: task)
            state.byteCount += byteCount
            return task
        }
    }

    /// What the cache is going to have under a key, so that a look-up need not wait for the disk; nil when nothing is
    /// under way. Waits for an entry that is still being made.
    func prospect(of key: StoreKey) async -> Prospect? {
        while let pending = state.withLock({ $0.pending[key] }) {
            guard let entry = pending.entry else { return .nothing }
            if let made = try? await entry.value { return .entry(made) }
            // Nothing came of it: what counts is what was there before.
            _ = await pending.task.result
        }
        return nil
    }

    /// Waits until what was begun under a key is done.
    func wait(for key: StoreKey) async {
        let task = state.withLock { $0.pending[key]?.task }
        _ = await task?.result
    }

    /// Waits until what was begun of a source in a cache is done.
    func wait(for source: SourceKey, in cache: any ImageCache) async {
        let cache = ObjectIdentifier(cache)
        await waitForAll { $0.cache == cache && $0.variant.source == source }
    }

    /// Waits until what was begun in a cache is done.
    func wait(for cache: any ImageCache) async {
        let cache = ObjectIdentifier(cache)
        await waitForAll { $0.cache == cache }
    }

    private func waitForAll(_ isMeant: (StoreKey) -> Bool) async {
        let tasks = state.withLock { state in
            state.pending.filter { isMeant($0.key) }.map(\.value.task)
        }
        for task in tasks { _ = await task.result }
    }

    private func end(_ key: StoreKey, id: Int, byteCount: Int) {
        state.withLock { state in
            state.byteCount -= byteCount
            if state.pending[key]?.id == id { state.pending[key] = nil }
        }
    }
}
