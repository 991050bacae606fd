/// Which entries were used just now, usually within the last minute: these need no look at their attributes, and no new
/// note of their use.
///
/// A table of fixed size in which entries drive out one another. Forgetting costs a look at the file, no more.
final class RecentUses: Sendable {
    /// For how many seconds a use need not be noted again.
    let interval: Double

    private struct Use {
        var key = 0
        var time = -Double.infinity
    }

    private static let slotCount = 4096
    private let uses = Lock([Use](repeating: Use(), count: slotCount))

    /// - Parameter maxAge: How long an entry is kept after its last use: the interval is well below that.
    init(maxAge: Duration?) {
        interval = min(60, (maxAge?.seconds ?? .infinity) / 2)
    }

    /// Whether the entry was used lately. A use that lies ahead, as after a correction of the clock, is none.
    func contains(_ key: VariantKey, at now: Double) -> Bool {
        let hash = key.hashValue
        let use = uses.withLock { $0[hash & (Self.slotCount - 1)] }
        return use.key == hash && use.time <= now && now - use.time < interval
    }

    /// Remembers a use.
    func note(_ key: VariantKey, at now: Double) {
        let hash = key.hashValue
        uses.withLock { $0[hash & (Self.slotCount - 1)] = Use(key: hash, time: now) }
    }
}
