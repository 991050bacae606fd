import Calotype
import CalotypeTesting

/// A memory cache that counts its calls.
final class TallyingMemoryCache: MemoryCache {
    struct Tally: Equatable {
        var found = 0
        var missed = 0
        var stored = 0
    }

    private let kept = BoundedMemoryCache(costLimit: 64 << 20, trimsUnderPressure: false)
    private let state = Lock(Tally())

    var tally: Tally { state.withLock { $0 } }
    var statistics: MemoryCacheStatistics { kept.statistics }

    func image(for key: VariantKey) -> Image? {
        let image = kept.image(for: key)
        state.withLock { if image == nil { $0.missed += 1 } else { $0.found += 1 } }
        return image
    }

    func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        kept.store(image, for: key, timeToLive: timeToLive)
        state.withLock { $0.stored += 1 }
    }

    func peek(at key: VariantKey) -> Image? { kept.peek(at: key) }
    func contains(_ key: VariantKey) -> Bool { kept.contains(key) }
    func remove(_ key: VariantKey) { kept.remove(key) }
    func removeAll(of source: SourceKey) { kept.removeAll(of: source) }
    func clear() { kept.clear() }
    func variants(of source: SourceKey) -> [VariantKey] { kept.variants(of: source) }
    func remainingTime(for key: VariantKey) -> Duration? { kept.remainingTime(for: key) }
}
