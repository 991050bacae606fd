/// The task of a store or a removal. Its result is the list of steps that a store took; empty for a removal.
typealias StoreTask = Task<[ImageMetrics.Step], any Error>

/// The entries that are being stored or removed. Lookups see entries that are not on disk yet. Operations on one key
/// run one after another, so that no store overtakes a removal. Thread-safe.
///
/// If too many bytes wait to be written, requests wait for their stores, so that a slow disk does not fill the memory.
final class PendingStores: Sendable {
    /// The future content of a cache under a key, after the operations in progress.
    enum Prospect: Sendable {
        case entry(CacheEntry)
        case nothing
    }

    private struct Pending {
        let id: Int
        /// The waiter that the operation uses for its own waits. Its priority rises to that of the most urgent waiter
        /// for the operation.
        let waiter: any Waiter
        /// The task that makes the entry; nil for a removal.
        let entry: Task<CacheEntry?, any Error>?
        let task: StoreTask
    }

    private struct State {
        /// The last operation under each key. It waits for the earlier operations under the same key.
        var pending: [StoreKey: Pending] = [:]
        var byteCount = 0
        var nextID = 0
    }

    private static let byteLimit = 64 << 20
    /// The minimum number of bytes that an operation counts as.
    private static let leastByteCount = 4096
    private let state = Lock(State())

    /// Whether the bytes that wait to be written exceed the limit.
    var isFull: Bool { state.withLock { $0.byteCount > Self.byteLimit } }

    /// Begins a store, which makes an entry, and writes it after the earlier operations under the key.
    /// - Parameters:
    ///   - byteCount: The memory that the store holds until it is done, in bytes.
    ///   - priority: The initial priority, which rises to that of the most urgent waiter for the store.
    ///   - make: Makes the entry, or returns nil to leave the cache unchanged. Its argument is a waiter with the
    ///     priority of the store.
    ///   - write: Stores the entry. Its second argument is the same waiter.
    func begin(
        _ key: StoreKey, byteCount: Int, priority: Priority,
        making make: @escaping @Sendable (any Waiter) async throws -> CacheEntry?,
        writing write: @escaping @Sendable (CacheEntry, any Waiter) async throws -> [ImageMetrics.Step]
    ) -> StoreTask {
        let waiter = SilentWaiter(priority: priority)
        let entry = Task.detached { try await make(waiter) }
        return add(key, entry, byteCount: byteCount, waiter) {
            guard let made = try await entry.value else { return [] }
            return try await write(made, waiter)
        }
    }

    /// Begins a removal, which runs after the earlier operations under the key.
    @discardableResult
    func beginRemoval(_ key: StoreKey, _ remove: @escaping @Sendable (any Waiter) async throws -> Void) -> StoreTask {
        let waiter = SilentWaiter(priority: .normal)
        return add(key, nil, byteCount: 0, waiter) {
            try await remove(waiter)
            return []
        }
    }

    private func add(
        _ key: StoreKey, _ entry: Task<CacheEntry?, any Error>?, byteCount: Int, _ waiter: any Waiter,
        _ body: @escaping @Sendable () async throws -> [ImageMetrics.Step]
    ) -> StoreTask {
        let byteCount = max(byteCount, Self.leastByteCount)
        return state.withLock { state in
            let id = state.nextID
            state.nextID += 1
            let earlier = state.pending[key].map { (task: $0.task, waiter: $0.waiter) }
            let task = Task.detached { () async throws -> [ImageMetrics.Step] in
                defer { self.end(key, id: id, byteCount: byteCount) }
                if let earlier { _ = await Self.result(of: earlier.task, earlier.waiter, for: waiter) }
                return try await body()
            }
            state.pending[key] = Pending(id: id, waiter: waiter, entry: entry, task: task)
            state.byteCount += byteCount
            return task
        }
    }

    /// Returns the result of a task. During the wait, the task has at least the priority of the waiter for the result.
    /// - Parameters:
    ///   - work: The waiter that the task itself uses. Its priority is raised.
    ///   - other: The waiter for the result.
    private static func result<Made: Sendable>(
        of task: Task<Made, any Error>, _ work: any Waiter, for other: any Waiter
    ) async -> Result<Made, any Error> {
        let observation = other.demand.observePriority { work.demand.raise(to: $0) }
        defer { other.demand.endObserving(observation) }
        return await task.result
    }

    /// Returns whether a store or a removal is in progress under a key.
    func concern(_ key: StoreKey) -> Bool { state.withLock { $0.pending[key] != nil } }

    /// Returns the content that a cache will have under a key after the operations in progress, so that a lookup need
    /// not wait for the disk. Returns nil if no operation is in progress. Waits for an entry that is still being made.
    func prospect(of key: StoreKey, for waiter: any Waiter) async -> Prospect? {
        while let pending = state.withLock({ $0.pending[key] }) {
            guard let entry = pending.entry else { return .nothing }
            if let made = try? await Self.result(of: entry, pending.waiter, for: waiter).get() {
                return .entry(made)
            }
            // The store failed or was dropped: the earlier content counts.
            _ = await Self.result(of: pending.task, pending.waiter, for: waiter)
        }
        return nil
    }

    /// Waits until the operations begun under a key are done.
    func wait(for key: StoreKey) async {
        let last = state.withLock { $0.pending[key] }
        if let last { await wait(for: [last]) }
    }

    /// Waits until the operations begun for a source in a cache are done.
    func wait(for source: SourceKey, in cache: any ImageCache) async {
        let cache = ObjectIdentifier(cache)
        await waitForAll { $0.cache == cache && $0.variant.source == source }
    }

    /// Waits until the operations begun in a cache are done.
    func wait(for cache: any ImageCache) async {
        let cache = ObjectIdentifier(cache)
        await waitForAll { $0.cache == cache }
    }

    private func waitForAll(_ isMeant: (StoreKey) -> Bool) async {
        let found = state.withLock { state in state.pending.filter { isMeant($0.key) }.map(\.value) }
        await wait(for: found)
    }

    private func wait(for all: [Pending]) async {
        // Raise all priorities first: each may be behind others in the queue of a lane.
        for pending in all { pending.waiter.demand.raise(to: .normal) }
        for pending in all { _ = await pending.task.result }
    }

    private func end(_ key: StoreKey, id: Int, byteCount: Int) {
        state.withLock { state in
            state.byteCount -= byteCount
            if state.pending[key]?.id == id { state.pending[key] = nil }
        }
    }
}
