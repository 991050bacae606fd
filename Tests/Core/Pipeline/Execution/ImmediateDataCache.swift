import Calotype
import CalotypeTesting

/// A data cache in a dictionary with a configurable immediate lookup, which records the threads of its calls.
final class ImmediateDataCache: DataCache {
    /// The behavior of immediate lookups.
    enum Conduct: Sendable {
        /// Returns the entry, or its absence.
        case knows
        /// Returns that a read is needed.
        case unknown
        /// Throws an error.
        case fails
    }

    /// The error that it throws.
    struct Failure: Error {}

    /// A call.
    struct Call: Sendable {
        let key: VariantKey
        let thread: ThreadNote
        /// Whether the call was within the window.
        let isInWindow: Bool
    }

    let kept = InMemoryDataCache()
    private let conduct: Conduct
    private let window: CallWindow?
    private let calls = Lock((immediateReads: [Call](), reads: [Call]()))

    /// - Parameter window: The call window to check.
    init(_ conduct: Conduct = .knows, window: CallWindow? = nil) {
        self.conduct = conduct
        self.window = window
    }

    /// The immediate lookups, in order.
    var immediateReads: [Call] { calls.withLock { $0.immediateReads } }
    /// The reads, in order.
    var reads: [Call] { calls.withLock { $0.reads } }

    func immediateEntry(for key: VariantKey) throws -> ImmediateEntry {
        let call = call(for: key)
        calls.withLock { $0.immediateReads.append(call) }
        switch conduct {
        case .knows: return try kept.entry(for: key).map(ImmediateEntry.entry) ?? .absent
        case .unknown: return .unknown
        case .fails: throw Failure()
        }
    }

    func entry(for key: VariantKey) throws -> CacheEntry? {
        let call = call(for: key)
        calls.withLock { $0.reads.append(call) }
        return try kept.entry(for: key)
    }

    private func call(for key: VariantKey) -> Call {
        Call(key: key, thread: .current, isInWindow: window?.isOpenHere == true)
    }

    func contains(_ key: VariantKey) throws -> Bool { try kept.contains(key) }
    func store(_ entry: CacheEntry, for key: VariantKey) throws { try kept.store(entry, for: key) }
    func remove(_ key: VariantKey) throws { try kept.remove(key) }
    func removeAll(of source: SourceKey) throws { try kept.removeAll(of: source) }
    func clear() throws { try kept.clear() }
}
