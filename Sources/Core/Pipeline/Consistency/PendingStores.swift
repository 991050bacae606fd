/// A store, or a removal, that is under way; with the steps that a store took.
typealias StoreTask = Task<[ImageMetrics.Step], any Error>

/// The entries that are being stored and removed: a look-up sees what is not on disk yet, and no store overtakes a
/// removal.
///
/// What concerns one key is done one after the other. Bounded by the bytes that wait: beyond that, requests wait for
/// their stores, so that a slow disk slows them down rather than fill the memory. Thread-safe.
final class PendingStores: Sendable {
    /// The future content of a cache under a key.
    enum Prospect: Sendable {
        case entry(CacheEntry)
        case nothing
    }

    private struct Pending {
        let id: Int
        /// The priority, which is the highest of all waiters.
        let waiter: any Waiter
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
    /// The number of bytes that a store counts at least.
    private static let leastByteCount = 4096
    private let state = Lock(State())

    /// Whether more waits than should.
    var isFull: Bool { state.withLock { $0.byteCount > Self.byteLimit } }

    /// Begins a store: makes an entry, and writes it when what was begun before under the key is done.
    /// - Parameters:
    ///   - key: What is stored.
    ///   - byteCount: How much memory it holds until it is done.
    ///   - priority: How urgent it is, unless somebody waits for it to whom it is more urgent.
    ///   - make: Makes the entry, given the waiter with which to wait for a thread; nil leaves the cache as it is.
    ///   - write: Stores it, likewise.
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

    /// Begins a removal, which is done when what was begun before under the key is.
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

    /// Returns the result of work in progress, whose priority rises to that of the new waiter.
    private static func result<Made: Sendable>(
        of task: Task<Made, any Error>, _ work: any Waiter, for other: any Waiter
    ) async -> Result<Made, any Error> {
        let observation = other.demand.observePriority { work.demand.raise(to: $0) }
        defer { other.demand.endObserving(observation) }
        return await task.result
    }

    /// Whether a store or a removal is under way under a key.
    func concern(_ key: StoreKey) -> Bool { state.withLock { $0.pending[key] != nil } }

    /// Returns the future content of a cache under a key, so that a look-up need not wait for the disk; nil if nothing
    /// is in progress. Waits for an entry that is still being made.
    func prospect(of key: StoreKey, for waiter: any Waiter) async -> Prospect? {
        while let pending = state.withLock({ $0.pending[key] }) {
            guard let entry = pending.entry else { return .nothing }
            if let made = try? await Self.result(of: entry, pending.waiter, for: waiter).get() {
                return .entry(made)
            }
            // Nothing came of it: what counts is what was there before.
            _ = await Self.result(of: pending.task, pending.waiter, for: waiter)
        }
        return nil
    }

    /// Waits until what was begun under a key is done.
    func wait(for key: StoreKey) async {
        let last = state.withLock { $0.pending[key] }
        if let last { await wait(for: [last]) }
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
        let found = state.withLock { state in state.pending.filter { isMeant($0.key) }.map(\.value) }
        await wait(for: found)
    }

    private func wait(for all: [Pending]) async {
        // At once, and not one after the other: each may be behind others in the queue of a lane.
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
