import Calotype
import CalotypeTesting

/// A data cache in a dictionary that says without waiting what a test wants, and notes on which threads it is asked.
final class ImmediateDataCache: DataCache {
    /// What it says without waiting.
    enum Conduct: Sendable {
        /// What it has, and what it has not.
        case knows
        /// That it would have to look.
        case unknown
        /// Nothing: it throws.
        case fails
    }

    /// What it throws.
    struct Failure: Error {}

    /// A call.
    struct Call: Sendable {
        let key: VariantKey
        let thread: ThreadNote
        /// Whether that was in the window.
        let isInWindow: Bool
    }

    let kept = InMemoryDataCache()
    private let conduct: Conduct
    private let window: CallWindow?
    private let calls = Lock((immediateReads: [Call](), reads: [Call]()))

    /// - Parameter window: A call of which it is to be known whether the cache is asked in it.
    init(_ conduct: Conduct = .knows, window: CallWindow? = nil) {
        self.conduct = conduct
        self.window = window
    }

    /// What it was asked to say without waiting, in order.
    var immediateReads: [Call] { calls.withLock { $0.immediateReads } }
    /// What was read, in order.
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
